import { z } from 'zod'
import { bodyLimits } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import { openEndpoint } from '../core-services.ts'
import { listOrganizationsOf } from '../organizations/organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from '../organizations/organization-record.ts'
import { exampleToken } from '../sessions/sessions.ts'
import { challenge, enter, loginBody, loginExamples } from './entrance.ts'

const success = z
  .object({
    organizations: z.array(organizationRecord),
    ...withExamples(
      { token: z.string(), must_change_password: z.boolean() },
      { token: exampleToken, must_change_password: false },
    ),
  })
  .meta({ title: 'logged in' })

export const logIn = openEndpoint({
  summary: 'Log in with e-mail and password, and with a second factor where two-factor is on',
  bodyLimit: bodyLimits.proof,
  body: loginBody,
  examples: loginExamples,
  answer: z.union([success, challenge]),
  failures: [401, 429, 503],
  async handle({ body, request }, services) {
    const entry = await enter(services, body, request)
    if (!entry.isIn) return entry.challenge
    const { token, user } = entry
    const organizations = await listOrganizationsOf(services.db, user.id)
    return {
      organizations: organizations.map(toOrganizationRecord),
      token,
      must_change_password: user.must_change_password,
    }
  },
})

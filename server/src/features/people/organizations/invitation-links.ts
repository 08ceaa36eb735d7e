import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { type HttpError, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { isoTime, momentOf } from '../../../http/timestamps.ts'
import { endpoint, openEndpoint } from '../../core-services.ts'
import { newPassword, refuseOwnEmail } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { findCredentials, insertUser } from '../users/user-queries.ts'
import * as invitationQueries from './invitation-queries.ts'
import { invitationNotFound, invitationPath } from './invitation-record.ts'
import { join } from './invitations.ts'
import { refuseGrantBeyond } from './member-record.ts'

const exampleToken = 'exampleK2m9QvXz4LhYc8Ns1Ed6Bf3Gp7Uo5TwRjA0'
const tokenField = withExamples({ token: requiredText('token') }, { token: exampleToken })

/** A plain hash is enough for 256 random bits. */
function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Whoever has the link can accept, so only somebody who could grant the same may have it. */
export const makeInvitationLink = endpoint({
  summary: 'Makes a link by which an invited person without a login chooses a password and accepts',
  description:
    'To pass on to the person, since no mail is sent. It is shown once, works once, and expires with the invitation; another one ends the former. The token stands behind the `#`, which browsers send to no server.',
  params: invitationPath,
  answer: z.object({
    data: z
      .object(
        withExamples(
          { url: z.string(), expires_at: z.string() },
          {
            url: `https://console.example.com/invitation#${exampleToken}`,
            expires_at: '2026-03-15T08:00:00.000000Z',
          },
        ),
      )
      .meta({ id: 'InvitationLink' }),
  }),
  failures: [404],
  change: changeOf('member', 'given an invitation link', 'invitation'),
  async handle({ params, caller, record }, { db, now, publicUrl }) {
    const token = randomBytes(32).toString('base64url')
    const invitation = await db.transaction(async (tx) => {
      const which = { id: params.id, now: momentOf(now()) }
      const found = await invitationQueries.lockOfOrganization(tx, caller.organizationId, which)
      if (!found) throw invitationNotFound()
      refuseGrantBeyond(caller, found.permissions)
      await invitationQueries.setLink(tx, caller.organizationId, found.id, hashOf(token))
      await record(tx)
      return found
    })
    const url = `${publicUrl}/invitation#${token}`
    return { data: { url, expires_at: isoTime(invitation.expires_at) } }
  },
})

export const showInvitation = openEndpoint({
  summary: 'The invitation of a link',
  description:
    '`has_login` says that somebody has a login with the e-mail: they log in, and accept there.',
  body: z.object(tokenField),
  changesNothing: true,
  answer: z.object({
    data: z
      .object(
        withExamples(
          {
            email: z.string(),
            organization: z.string(),
            is_owner: z.boolean(),
            invited_by: z.string(),
            expires_at: z.string(),
            has_login: z.boolean(),
          },
          {
            email: 'bo@example.com',
            organization: 'Harbour Cold Storage',
            is_owner: false,
            invited_by: 'ada@example.com',
            expires_at: '2026-03-15T08:00:00.000000Z',
            has_login: false,
          },
        ),
      )
      .meta({ id: 'InvitationOfLink' }),
  }),
  async handle({ body }, { db, now }) {
    const found = await invitationQueries.findOfLink(db, hashOf(body.token), momentOf(now()))
    if (!found) throw wrongToken()
    return {
      data: {
        email: found.email,
        organization: found.child_name ?? found.organization_name,
        is_owner: found.child_name !== null,
        invited_by: found.inviter_email,
        expires_at: isoTime(found.expires_at),
        has_login: (await findCredentials(db, found.email)) !== undefined,
      },
    }
  },
})

export const acceptByLink = openEndpoint({
  summary: 'Makes a login with the password that the invited person chooses, and accepts',
  body: z.object({
    ...tokenField,
    ...withExamples(
      {
        first_name: requiredText('first name'),
        last_name: requiredText('last name'),
        password: newPassword,
      },
      { first_name: 'Bo', last_name: 'Summer', password: 'seven green lanterns' },
    ),
  }),
  status: 204,
  failures: [503],
  async handle({ body, request: { clientIp } }, { db, now, log }) {
    const linkHash = hashOf(body.token)
    const found = await invitationQueries.findOfLink(db, linkHash, momentOf(now()))
    if (!found) throw wrongToken()
    refuseOwnEmail(body.password, found.email)
    if (await findCredentials(db, found.email)) throw hasLogin()
    const passwordHash = await hashPassword(body.password)
    const userId = await db.transaction(async (tx) => {
      const time = momentOf(now())
      const invitation = await invitationQueries.findOfLink(tx, linkHash, time, 'locked')
      if (!invitation) throw wrongToken()
      const user = {
        email: invitation.email,
        passwordHash,
        mustChangePassword: false,
        firstName: body.first_name.trim(),
        lastName: body.last_name.trim(),
      }
      const id = await insertUser(tx, user, time)
      if (id === undefined) throw hasLogin()
      await join(tx, id, invitation, time)
      await invitationQueries.remove(tx, invitation.organization_id, invitation.id)
      return id
    })
    log.info({ event: 'invitation_accepted', userId, clientIp }, 'security event')
    return undefined
  },
})

function wrongToken(): HttpError {
  const message =
    'The invitation was answered or withdrawn, or is too old. Please ask for another one.'
  return invalid({ token: [message] })
}

function hasLogin(): HttpError {
  return invalid({ token: ['You have a login already. Please log in, and accept there.'] })
}

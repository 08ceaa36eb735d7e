import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryTime, requiredText } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { countLocked } from '../../people/organizations/organization-queries.ts'
import { hashToken } from '../../people/sessions/sessions.ts'
import { givenPassword } from '../../people/users/password-fields.ts'
import { hashPassword } from '../../people/users/passwords.ts'
import { dashboardPath, toStoredId } from '../dashboards/dashboard-record.ts'
import { findDashboard } from '../dashboards/find-dashboard.ts'
import * as linkQueries from './link-queries.ts'
import { linkNotFound, linkPath, linkRecord, toLinkRecord } from './link-record.ts'

const mostLinks = 200
const mostOfTenant = 2000
const mostTogether = 10
const mostHosts = 20
const shortestPassword = 8

export const listDashboardLinks = endpoint({
  summary: 'The links that show a dashboard without a login',
  params: dashboardPath,
  answer: z.object({ data: z.array(linkRecord) }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const { id } = await findDashboard(db, caller, { id: toStoredId(params.dashboard_id) })
    const links = await linkQueries.list(db, caller.organizationId, id)
    return { data: links.map(toLinkRecord) }
  },
})

/** What `frame-ancestors` of a page's policy takes, and nothing that could end it. */
const hostPattern = /^https?:\/\/(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:\d{1,5})?$/i
const hostsMessage = `The hosts must be a list of up to ${mostHosts} such as https://www.example.com.`
const togetherMessage = `The more dashboards must be a list of up to ${mostTogether - 1} ids.`
const rotateMessage = 'The rotate seconds must be an integer from 5 to 3600.'

const newLink = z.object(
  withExamples(
    {
      name: requiredText('name', 100),
      expires_at: queryTime('expires at').nullish().describe('It ends then by itself.'),
      password: givenPassword
        .min(shortestPassword, `The password must be at least ${shortestPassword} characters.`)
        .nullish()
        .describe('Asked for once on each screen.'),
      hosts: z
        .array(z.string({ error: hostsMessage }).regex(hostPattern, { error: hostsMessage }), {
          error: hostsMessage,
        })
        .max(mostHosts, hostsMessage)
        .default([])
        .describe(
          'Sites whose pages may show it in a frame; `https://*.example.com` for all below.',
        ),
      more_dashboards: z
        .array(z.string({ error: togetherMessage }), { error: togetherMessage })
        .max(mostTogether - 1, togetherMessage)
        .default([])
        .describe('Shown in turn with it.'),
      rotate_seconds: z
        .int({ error: rotateMessage })
        .min(5, rotateMessage)
        .max(3600, rotateMessage)
        .default(30)
        .describe('How long each is shown.'),
    },
    { name: 'Screen in the hall', expires_at: null, password: null },
  ),
)

export const createDashboardLink = endpoint({
  summary: 'Make an address that shows a dashboard without a login',
  description: `Whoever has the address sees the widgets of the dashboard, with its range and its choice, and nothing else.
The answer is the only one that has it. An organization has up to ${mostLinks} links.`,
  params: dashboardPath,
  body: newLink,
  status: 201,
  answer: z.object({
    data: linkRecord.extend(
      withExamples(
        { url: z.string() },
        { url: 'https://lora.example.com/shared/example7Jx0aQm2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5T' },
      ),
    ),
  }),
  failures: [404, 409, 503],
  change: changeOf('dashboard', 'shared'),
  async handle({ params, body, caller, record }, { db, now, publicUrl }) {
    const { organizationId, userId } = caller
    if (body.expires_at && body.expires_at <= now()) {
      throw invalid({ expires_at: ['The expires at must be in the future.'] })
    }
    const first = await findDashboard(db, caller, { id: toStoredId(params.dashboard_id) })
    const more: number[] = []
    for (const [index, id] of body.more_dashboards.entries()) {
      const found = await findDashboard(db, caller, { id: toStoredId(id) }).catch(() => undefined)
      if (!found) throw invalid({ [`more_dashboards.${index}`]: [selectedInvalid] })
      more.push(found.id)
    }
    const token = randomBytes(32).toString('base64url')
    const values = {
      name: body.name,
      dashboardIds: [...new Set([first.id, ...more])],
      tokenHash: hashToken(token),
      passwordHash: body.password ? await hashPassword(body.password) : null,
      hosts: body.hosts.map((host) => host.toLowerCase()),
      rotateSeconds: body.rotate_seconds,
      expiresAt: body.expires_at ?? null,
      ...{ userId, now: now() },
    }
    const link = await db.transaction(async (tx) => {
      const { own, ofTenant } = await countLocked(tx, organizationId, 'dashboard_links')
      if (own >= mostLinks) throw conflict(`The organization has ${mostLinks} links already.`)
      if (ofTenant >= mostOfTenant) throw conflict(isTenantFull)
      const id = await linkQueries.insert(tx, organizationId, values)
      await record(tx)
      return (await linkQueries.list(tx, organizationId, first.id)).find((one) => one.id === id)
    })
    if (!link) throw linkNotFound()
    return { data: { ...toLinkRecord(link), url: `${publicUrl}/shared/${token}` } }
  },
})

const selectedInvalid = 'The selected dashboard is invalid.'
const isTenantFull = `The organizations have ${mostOfTenant.toLocaleString('en-US')} links together already.`

export const deleteDashboardLink = endpoint({
  summary: 'Revoke a link: it shows nothing from now on',
  params: linkPath,
  status: 204,
  failures: [404],
  change: changeOf('dashboard', 'unshared'),
  async handle({ params, caller, record }, { db }) {
    const { id: dashboardId } = await findDashboard(db, caller, {
      id: toStoredId(params.dashboard_id),
    })
    await db.transaction(async (tx) => {
      const about = { id: params.link_id, dashboardId }
      const isGone = await linkQueries.remove(tx, caller.organizationId, about)
      if (!isGone) throw linkNotFound()
      await record(tx)
    })
  },
})

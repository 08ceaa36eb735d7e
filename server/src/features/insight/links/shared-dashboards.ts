import { hash } from 'node:crypto'
import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { forbidden } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { openEndpoint } from '../../core-services.ts'
import {
  countRightGuess,
  countWrongGuess,
  refuseWhileWaiting,
} from '../../people/sessions/guesses.ts'
import { linkAttempt } from '../../people/sessions/login-limits.ts'
import { exampleToken } from '../../people/sessions/sessions.ts'
import { givenPassword } from '../../people/users/password-fields.ts'
import { isPassword } from '../../people/users/passwords.ts'
import { listByIds, type StoredDashboard } from '../dashboards/dashboard-queries.ts'
import { versionsField, widgetFields, zoneFields } from '../dashboards/widget-body.ts'
import { readWidgetData, type WidgetData, widgetData } from '../dashboards/widget-data.ts'
import { type WidgetType, widgetRanges } from '../dashboards/widget-types.ts'
import { findLink, type LinkServices, openLink, passOf } from './link-guard.ts'
import type { OpenLink } from './link-queries.ts'
import { linkNotFound } from './link-record.ts'
import { toSharedData } from './shared-data.ts'

/** What a screen with a link reads. It needs no login, and gets nothing but the widgets of its dashboards. */

const path = z.object({ token: z.string().meta({ examples: [exampleToken] }) })

const { source: _, ...shownFields } = widgetFields

const sharedDashboard = z
  .object({
    ...withExamples(
      {
        name: z.string(),
        range: z.enum(widgetRanges),
      },
      { name: 'Cold chain', range: '24h' as const },
    ),
    widgets: z.array(z.object(shownFields)),
  })
  .meta({ id: 'SharedDashboard' })

const revision = z
  .string()
  .describe('Changes with the dashboards of the link: read it again then.')
  .meta({ examples: ['q0Z1kD3vXh2n9aQe'] })

const sharedLink = z
  .object({
    revision,
    ...withExamples({ rotate_seconds: z.int() }, { rotate_seconds: 30 }),
    dashboards: z.array(sharedDashboard).describe('Shown in turn.'),
  })
  .meta({ id: 'SharedLink' })

const withPass =
  'Where the link has a password, the header `X-Link-Pass` has what `POST /shared-dashboards/{token}/pass` answers.'

export const showShared = openEndpoint({
  summary: 'The dashboards that a link shows',
  description: withPass,
  params: path,
  answer: z.object({ data: sharedLink }),
  failures: [403, 404, 429],
  async handle({ params, request }, services: LinkServices) {
    const link = await openLink(services, params.token, request)
    const dashboards = await findDashboards(services, link)
    const data = {
      rotate_seconds: link.rotate_seconds,
      dashboards: dashboards.map(({ name, range, widgets }) => ({
        ...{ name, range },
        widgets: widgets.map(({ source: _source, ...shown }) => shown),
      })),
    }
    return { data: { revision: revisionOf(link, dashboards), ...data } }
  },
})

/** Those with what is for people who log in. */
const notShared: readonly WidgetType[] = ['downlink', 'plan']

/** @throws HttpError 404 where all of them are deleted. */
async function findDashboards({ db }: LinkServices, link: OpenLink): Promise<StoredDashboard[]> {
  const found = await listByIds(db, link.organization_id, link.dashboard_ids)
  if (found.length === 0) throw linkNotFound()
  return found.map((dashboard) => ({
    ...dashboard,
    widgets: dashboard.widgets.filter(({ type }) => !notShared.includes(type)),
  }))
}

function revisionOf(link: OpenLink, dashboards: readonly StoredDashboard[]): string {
  const parts = dashboards.map(({ id, revision: count }) => [id, count])
  return hash('sha256', JSON.stringify([link.id, ...parts]), 'base64url').slice(0, 16)
}

const indexMessage = 'The index must be an integer from 0 to 9.'

export const readShared = openEndpoint({
  summary: 'What the widgets of a shared dashboard show',
  description: `As \`POST /dashboards/data\` with the range of the dashboard, without ids: devices are numbered within each
answer. ${withPass}`,
  params: path,
  body: z.object({
    index: z
      .int({ error: indexMessage })
      .min(0, indexMessage)
      .max(9, indexMessage)
      .default(0)
      .describe('Its place among those of the link, from 0.')
      .meta({ examples: [0] }),
    versions: versionsField,
    ...zoneFields,
  }),
  answer: z.object({ data: z.object({ revision, widgets: z.array(widgetData) }) }),
  bodyLimit: bodyLimits.proof,
  failures: [403, 404, 429],
  changesNothing: true,
  isLarge: true,
  async handle({ params, body, request }, services: LinkServices) {
    const link = await openLink(services, params.token, request)
    const { organization_id: organizationId, tenant_id: tenantId } = link
    const dashboards = await findDashboards(services, link)
    const shown = dashboards[body.index]
    if (!shown) throw linkNotFound()
    const { widgets, variable, range } = shown
    const looker = { organizationId, groupId: undefined, tag: undefined }
    const zone = { timeZone: body.time_zone, weekStart: body.week_start }
    const asked = { widgets, variable, time: range, zone, versions: body.versions }
    // One after the other: what the first one reads, the others find.
    const end = new AbortController()
    const giveBack = await services.linkGuard.share({ organizationId, tenantId }, end.signal)
    let data: WidgetData[]
    try {
      data = await readWidgetData(services, looker, { ...asked, keepsAlerts: true })
    } finally {
      giveBack()
    }
    const answers = data.map((one, at) => toSharedData(widgets[at]?.type ?? 'text', one))
    return { data: { revision: revisionOf(link, dashboards), widgets: answers } }
  },
})

export const unlockShared = openEndpoint({
  summary: 'Exchange the password of a link for a pass, which is valid as long as the link',
  params: path,
  body: z.object(withExamples({ password: givenPassword }, { password: 'eight quiet harbours' })),
  answer: z.object({
    data: z.object(withExamples({ pass: z.string() }, { pass: exampleToken })),
  }),
  bodyLimit: bodyLimits.proof,
  failures: [403, 404, 429, 503],
  changesNothing: true,
  async handle({ params, body, request }, services: LinkServices) {
    const { loginRateLimit } = services
    const link = await findLink(services, params.token, request)
    const attempt = linkAttempt(link.id, request.clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const { password_hash: right } = link
    if (right === null || !(await isPassword(body.password, right))) {
      throw await countWrongGuess(services, attempt, undefined, forbidden('The password is wrong.'))
    }
    await countRightGuess(services.db, services, attempt)
    return { data: { pass: passOf(right) } }
  },
})

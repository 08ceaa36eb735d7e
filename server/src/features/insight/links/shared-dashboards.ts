import { hash } from 'node:crypto'
import { z } from 'zod'
import { bodyLimits, type ImageAnswer } from '../../../http/endpoint.ts'
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
import type { Looker } from '../dashboards/source-queries.ts'
import { versionsField, widgetFields, zoneFields } from '../dashboards/widget-body.ts'
import { readWidgetData, type WidgetData, widgetData } from '../dashboards/widget-data.ts'
import { widgetRanges } from '../dashboards/widget-types.ts'
import { findImage } from '../plans/plan-queries.ts'
import { planNotFound } from '../plans/plan-record.ts'
import { findLink, type LinkServices, openLink, passOf } from './link-guard.ts'
import type { OpenLink } from './link-queries.ts'
import { linkNotFound } from './link-record.ts'
import { placeOfPlan, toSharedData } from './shared-data.ts'

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

/** @throws HttpError 404 where all of them are deleted. */
async function findDashboards({ db }: LinkServices, link: OpenLink): Promise<StoredDashboard[]> {
  const found = await listByIds(
    db,
    { organizationId: link.organization_id, userId: link.user_id },
    link.dashboard_ids,
  )
  if (found.length === 0) throw linkNotFound()
  return found.map((dashboard) => ({
    ...dashboard,
    // A button is for people who have logged in.
    widgets: dashboard.widgets.filter(({ type }) => type !== 'downlink'),
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
    const dashboards = await findDashboards(services, link)
    const shown = dashboards[body.index]
    if (!shown) throw linkNotFound()
    const zone = { timeZone: body.time_zone, weekStart: body.week_start }
    const asked = { ...lookOf(shown), zone, versions: body.versions }
    const data = await readInTurn(services, link, asked)
    const answers = data.map((one, at) => toSharedData(shown.widgets[at]?.type ?? 'text', one, at))
    return { data: { revision: revisionOf(link, dashboards), widgets: answers } }
  },
})

/** Those of an organization read one after the other: what the first one reads, the others find. */
async function readInTurn(
  services: LinkServices,
  link: OpenLink,
  asked: Parameters<typeof readWidgetData>[2],
): Promise<WidgetData[]> {
  const { organization_id: organizationId, tenant_id: tenantId } = link
  const { signal } = new AbortController()
  const giveBack = await services.linkGuard.share({ organizationId, tenantId }, signal)
  return readWidgetData(services, lookerOf(link), asked).finally(() => giveBack())
}

function lookOf({ widgets, variable, range }: StoredDashboard) {
  return { widgets, variable, time: range, isPatient: true }
}

function lookerOf({ organization_id: organizationId }: OpenLink): Looker {
  return { organizationId, groupId: undefined, tag: undefined }
}

const planPath = path.extend({
  plan: z
    .string()
    .describe('The place of the dashboard, `-`, and the `id` of a plan on it.')
    .meta({ examples: ['0-100'] }),
})

export const showSharedPlan = openEndpoint({
  summary: 'The image of a floor plan on a shared dashboard',
  description: withPass,
  params: planPath,
  failures: [403, 404, 429],
  produces: { type: 'image/*', example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  async handle({ params, request }, services: LinkServices): Promise<ImageAnswer> {
    const link = await openLink(services, params.token, request)
    const [, index, number] = /^(\d)-(\d{1,4})$/.exec(params.plan) ?? []
    const dashboard = (await findDashboards(services, link))[Number(index)]
    const { place, at } = placeOfPlan(Number(number))
    const widget = dashboard?.widgets[place]
    if (!dashboard || widget?.type !== 'plan') throw planNotFound()
    const zone = { timeZone: 'UTC', weekStart: 'monday' as const }
    const asked = { ...lookOf(dashboard), widgets: [widget], zone, versions: [] }
    const [data] = await readInTurn(services, link, asked)
    const id = data?.plans?.[at]?.id
    const found = id && (await findImage(services.db, lookerOf(link), id))
    if (!found) throw planNotFound()
    const { type, bytes, revision: count } = found
    // Without telling the id: another plan may come to the same place.
    const mark = hash('sha256', `${link.id} ${id}`, 'base64url').slice(0, 16)
    return { type, bytes, etag: `${mark}-${count}` }
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

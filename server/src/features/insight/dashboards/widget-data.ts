import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { HttpError } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice, queryTime, timeZoneName } from '../../../http/fields.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { formatChoices } from '../../../lora/formats.ts'
import { aggregates } from '../../../uplinks/read/points-queries.ts'
import { hour, steps, type TimeRange, toRange, type Zone } from '../../../uplinks/read/steps.ts'
import { endpoint } from '../../core-services.ts'
import { alertRecord, toAlertRecord } from '../../outgoing/alerts/alert-record.ts'
import { list as listPlans } from '../plans/plan-queries.ts'
import { listedPlan, placedDevice } from '../plans/plan-record.ts'
import { readPlan } from '../plans/read-plan.ts'
import {
  readDeviceStates,
  readDevices,
  readTroubled,
  widgetDevice,
  widgetState,
} from './device-data.ts'
import { chooseDevices, countDevices, listOpenAlerts } from './device-data-queries.ts'
import { readMeasured, widgetSeries } from './measured-data.ts'
import { findKnown, isWithin, type Known, sourceOfVariable } from './source-reach.ts'
import {
  dashboardFields,
  type Variable,
  variable,
  type Widget,
  type WidgetSource,
} from './widget-body.ts'
import { filterOf } from './widget-devices.ts'
import { factsOfType, hoursOf, mostAddressed, mostDevices, mostPlans } from './widget-types.ts'

const counts = z
  .object(
    withExamples(
      {
        total: z.int(),
        ok: z.int(),
        new: z.int(),
        silent: z.int(),
        attention: z.int(),
        inactive: z.int(),
        low_battery: z.int(),
        tampered: z.int(),
      },
      {
        ...{ total: 40, ok: 36, new: 1, silent: 2, attention: 1, inactive: 0 },
        ...{ low_battery: 1, tampered: 0 },
      },
    ),
  )
  .meta({ id: 'WidgetCounts' })

const widgetPlan = listedPlan
  .pick({ id: true, name: true, width: true, height: true, revision: true })
  .extend({ positions: z.array(placedDevice) })
  .meta({ id: 'WidgetPlan', examples: undefined })

const widgetData = z
  .object({
    ...withExamples(
      {
        error: z.string().optional().describe('Why there is nothing else.'),
        from: z.string(),
        to: z.string(),
        total: z
          .int()
          .optional()
          .describe('Devices of the source, or open alerts; fewer may be shown.'),
        step: z.enum(steps).nullable().optional(),
        aggregate: z.array(z.enum(aggregates)).optional(),
      },
      { from: '2026-02-28T12:00:00.000000Z', to: '2026-03-01T12:00:00.000000Z', total: 1 },
    ),
    series: z.array(widgetSeries).optional(),
    previous: z.array(widgetSeries).optional().describe('Of the period before, for bars.'),
    devices: z.array(widgetDevice).optional(),
    states: z.array(widgetState).optional(),
    alerts: z.array(alertRecord).optional(),
    counts: counts.optional(),
    plans: z
      .array(widgetPlan)
      .optional()
      .describe('Their images are at `GET /floor-plans/{plan_id}/image`.'),
    silent: z.int().optional(),
    low_battery: z.int().optional(),
  })
  .meta({ id: 'WidgetData' })

export type WidgetData = z.infer<typeof widgetData>

export const readWidgets = endpoint({
  summary: 'What widgets show',
  description: `One answer for each widget, in their order. \`series\` have points, \`devices\` their latest readings, and
\`states\` intervals. Several devices are summed up where a type says so. A widget that cannot be read
says why in \`error\`, and the others are not concerned. Members and API keys that are limited to a group get what is in it.`,
  body: z.object({
    widgets: dashboardFields.widgets,
    variable: variable.nullish().describe('What is chosen.'),
    from: queryTime('from').optional().describe('24 hours before the end unless it is sent.'),
    to: queryTime('to').optional(),
    time_zone: timeZoneName.default('UTC'),
    week_start: queryChoice('week start', formatChoices.week_start).default('monday'),
  }),
  bodyLimit: bodyLimits.callback,
  answer: z.object({ data: z.array(widgetData) }),
  changesNothing: true,
  isLarge: true,
  async handle({ body, caller }, { db, now }) {
    const time = now()
    const range = toRange(body, time)
    const sources = body.widgets.map(({ source }) => resolve(source, body.variable))
    const known = await findKnown(
      db,
      caller,
      sources.filter((source) => source !== 'unchosen'),
    )
    const zone = { timeZone: body.time_zone, weekStart: body.week_start }
    const context: Context = { db, caller, known, range, zone, now: time }
    const data: WidgetData[] = []
    const queue = [...body.widgets.entries()]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [place, widget] = next
        data[place] = await readWidget(context, widget, sources[place])
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return { data }
  },
})

/** Widgets of a request that are read at the same time. */
const atOnce = 3

interface Context {
  db: Database
  caller: Caller
  known: Known
  range: TimeRange
  zone: Zone
  now: Date
}

type Resolved = WidgetSource | undefined | 'unchosen'

function resolve(source: WidgetSource | undefined, chosen: Variable | null | undefined): Resolved {
  if (!source?.variable) return source
  const { variable: _, ...measured } = source
  const own = sourceOfVariable(chosen)
  return own ? { ...measured, ...own } : 'unchosen'
}

async function readWidget(context: Context, widget: Widget, source: Resolved): Promise<WidgetData> {
  const range = rangeOf(widget, context.range)
  const times = { from: isoTimeOf(range.from), to: isoTimeOf(range.to) }
  if (source === 'unchosen') return { ...times, error: 'Nothing is chosen yet.' }
  if (!isWithin([source], context.known)) {
    return { ...times, error: 'What it shows is not there, or not for you.' }
  }
  try {
    return { ...times, ...(await readParts({ ...context, range }, widget, source)) }
  } catch (error) {
    if (error instanceof HttpError) return { ...times, error: error.message }
    throw error
  }
}

function rangeOf({ options = {} }: Widget, range: TimeRange): TimeRange {
  if (options.range === undefined) return range
  return { from: new Date(range.to.getTime() - hoursOf[options.range] * hour), to: range.to }
}

type Parts = Omit<WidgetData, 'from' | 'to' | 'error'>

async function readParts(
  { db, caller, known, range, zone, now }: Context,
  { type, options = {} }: Widget,
  source: WidgetSource | undefined,
): Promise<Parts> {
  const { organizationId } = caller
  const filter = filterOf(source, caller, known)
  const most = options.most ?? mostShown[type] ?? mostDevices
  if (type === 'text' || type === 'picture') return {}
  if (type === 'plan') return { plans: await readPlans(db, caller, source, now) }
  if (type === 'counts') return { counts: await countDevices(db, organizationId, filter, now) }
  if (type === 'battery') return readTroubled(db, caller, filter, { most, now })
  if (type === 'alerts') {
    const isAll = source === undefined && caller.groupId === undefined && caller.tag === undefined
    const found = await listOpenAlerts(db, organizationId, isAll ? undefined : filter, most)
    return { alerts: found.alerts.map(toAlertRecord), total: found.total }
  }
  const isMeasured = factsOfType[type].source === 'measured'
  const { ids, total } = await chooseDevices(
    db,
    organizationId,
    filter,
    isMeasured ? mostMeasured : type === 'states' ? mostDevices : most,
  )
  if (type === 'downlink' && total > mostAddressed) {
    throw new HttpError(
      422,
      `A button sends to up to ${mostAddressed} devices. These are ${total}.`,
    )
  }
  if (type === 'states') {
    return { states: await readDeviceStates(db, caller, ids, { range, most, now }), total }
  }
  if (type === 'table' || type === 'map' || type === 'downlink') {
    return { devices: await readDevices(db, caller, ids, now), total }
  }
  const asked = { type, source: source ?? {}, options, range, zone }
  const measured = await readMeasured(db, organizationId, ids, asked)
  if (type !== 'tiles') return { ...measured, total }
  return { ...measured, total, devices: await readDevices(db, caller, ids.slice(0, most), now) }
}

/** One floor plan, or the first ones of a group. */
async function readPlans(
  db: Database,
  caller: Caller,
  { plan, group }: WidgetSource = {},
  now: Date,
) {
  const ids = plan
    ? [plan]
    : group && caller.tag === undefined
      ? (await listPlans(db, caller, group)).map(({ id }) => id).slice(0, mostPlans)
      : []
  const plans = await Promise.all(ids.map((id) => readPlan(db, caller, id, now)))
  return plans.map(({ id, name, width, height, revision, positions }) => ({
    ...{ id, name, width, height, revision, positions },
  }))
}

/** Devices that are summed up, or ordered by what they measure. */
const mostMeasured = 1000
const mostShown: Partial<Record<Widget['type'], number>> = { states: 10, alerts: 50, battery: 50 }

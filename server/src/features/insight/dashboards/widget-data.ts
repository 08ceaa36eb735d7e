import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { HttpError } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { aggregates } from '../../../uplinks/read/points-queries.ts'
import { hour, steps, type TimeRange, type Zone } from '../../../uplinks/read/steps.ts'
import type { CoreServices } from '../../core-services.ts'
import { listForChart } from '../../fleet/notes/note-queries.ts'
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
import { type KeptAnswers, longestRest, type OnDevices } from './kept-answers.ts'
import { readMeasured, widgetSeries } from './measured-data.ts'
import type { Looker } from './source-queries.ts'
import { findKnown, isWithin, type Known, sourceOfVariable } from './source-reach.ts'
import type { Variable, Widget, WidgetSource } from './widget-body.ts'
import { filterOf } from './widget-devices.ts'
import type { WidgetOptions } from './widget-options.ts'
import {
  factsOfType,
  hoursOf,
  mostAddressed,
  mostDevices,
  mostPlans,
  type WidgetRange,
} from './widget-types.ts'

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

const widgetNote = z
  .object(
    withExamples(
      { at: z.string(), text: z.string(), about: z.string().describe('Of a device or a group.') },
      { at: '2026-03-01T12:00:00.000000Z', text: 'Door repaired', about: 'Front door' },
    ),
  )
  .meta({ id: 'WidgetNote' })

const widgetPlan = listedPlan
  .pick({ id: true, name: true, width: true, height: true, revision: true })
  .extend({ positions: z.array(placedDevice) })
  .meta({ id: 'WidgetPlan', examples: undefined })

export const widgetData = z
  .object({
    ...withExamples(
      {
        error: z.string().optional().describe('Why there is nothing else.'),
        version: z.string().optional().describe('A mark that changes with the answer.'),
        unchanged: z
          .literal(true)
          .optional()
          .describe('It shows what it did when its `version` was sent, which is not repeated.'),
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
    notes: z.array(widgetNote).optional().describe('Of charts: the newest 50 of the time.'),
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

export interface DashboardServices extends CoreServices {
  keptAnswers: KeptAnswers<WidgetData>
}

/** What is asked of widgets. */
export interface AskedWidgets {
  widgets: readonly Widget[]
  variable: Variable | null | undefined
  /** Up to now, which is shared by all who look at the same; or from and to. */
  time: WidgetRange | TimeRange
  zone: Zone
  /** What the client has of each widget. */
  versions: readonly (string | null)[]
  /** For screens on walls, which can wait: alerts may be some seconds old, too. */
  isPatient?: boolean
}

/** Widgets of a request that are read at the same time. */
const atOnce = 3

export async function readWidgetData(
  { db, now, keptAnswers }: Pick<DashboardServices, 'db' | 'now' | 'keptAnswers'>,
  looker: Looker,
  asked: AskedWidgets,
): Promise<WidgetData[]> {
  const sources = asked.widgets.map(({ source }) => resolve(source, asked.variable))
  const named = sources.filter((source) => source !== 'unchosen')
  const known = await findKnown(db, looker, named)
  const { zone, time } = asked
  const present = now()
  const range = typeof time === 'string' ? upToNow(time, present) : time
  const context: Context = { db, looker, known, range, zone, now: present }
  const readOne = async (widget: Widget, place: number): Promise<WidgetData> => {
    const source = sources[place]
    const isKept = asked.isPatient || widget.type !== 'alerts'
    if (typeof time !== 'string' || !isKept) return readWidget(context, widget, source)
    // All that a text or a picture shows is in the widget.
    if (factsOfType[widget.type].source === 'none') {
      return { ...(await readWidget(context, widget, source)), version: 'own' }
    }
    const { organizationId, groupId, tag } = looker
    const about = { type: widget.type, options: widget.options, source }
    const key = JSON.stringify([organizationId, groupId, tag, time, zone, about])
    return keptAnswers.take(hash('sha256', key, 'base64url'), {
      ...{ db, organizationId, now },
      isFirst: !asked.isPatient && !asked.versions[place],
      rest: restOf(widget, time),
      read: (onDevices) => readWidget({ ...context, onDevices }, widget, source),
    })
  }
  const data: WidgetData[] = []
  const queue = [...asked.widgets.entries()]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, widget] = next
      const read = await readOne(widget, place)
      const isOld = read.version !== undefined && read.version === asked.versions[place]
      data[place] = isOld ? withoutContent(read) : read
    }
  }
  await Promise.all(Array.from({ length: asked.isPatient ? 1 : atOnce }, work))
  return data
}

/** Parts of a range that are too short to be seen: what changes sooner need not be read. */
const visibleParts = 2000

function restOf({ type, options }: Widget, range: WidgetRange): number {
  if (factsOfType[type].source !== 'measured') return 0
  return Math.min(longestRest, (hoursOf[options?.range ?? range] * hour) / visibleParts)
}

function upToNow(range: WidgetRange, now: Date): TimeRange {
  return { from: new Date(now.getTime() - hoursOf[range] * hour), to: now }
}

function withoutContent({ from, to, version }: WidgetData): WidgetData {
  return { from, to, version, unchanged: true }
}

interface Context {
  db: Database
  looker: Looker
  known: Known
  range: TimeRange
  zone: Zone
  now: Date
  /** Called with the devices that a widget is about, before they are read. */
  onDevices?: OnDevices | undefined
}

type Resolved = WidgetSource | undefined | 'unchosen'

function resolve(source: WidgetSource | undefined, chosen: Variable | null | undefined): Resolved {
  if (!source) return source
  const own = sourceOfVariable(chosen)
  const all: WidgetSource[] = [source, ...(source.more ?? [])]
  if (!own && all.some(({ variable }) => variable)) return 'unchosen'
  const [first, ...more] = all.map(({ variable, more: _, ...measured }) =>
    variable ? { ...measured, ...own } : measured,
  )
  return { ...first, ...(more.length > 0 && { more }) }
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
  return options.range === undefined ? range : upToNow(options.range, range.to)
}

type Parts = Omit<WidgetData, 'from' | 'to' | 'error'>

async function readParts(
  { db, looker, known, range, zone, now, onDevices }: Context,
  { type, options = {} }: Widget,
  source: WidgetSource | undefined,
): Promise<Parts> {
  const { organizationId } = looker
  const filter = filterOf(source, looker, known)
  const most = options.most ?? mostShown[type] ?? mostDevices
  if (type === 'text' || type === 'picture') return {}
  if (type === 'plan') return { plans: await readPlans(db, looker, source, now) }
  if (type === 'counts') return { counts: await countDevices(db, organizationId, filter, now) }
  if (type === 'battery') return readTroubled(db, looker, filter, { most, now })
  if (type === 'alerts') {
    const isAll = source === undefined && looker.groupId === undefined && looker.tag === undefined
    const found = await listOpenAlerts(db, organizationId, isAll ? undefined : filter, most)
    return { alerts: found.alerts.map(toAlertRecord), total: found.total }
  }
  if (type === 'chart' && source?.more) {
    return readSeveral({ db, looker, known, range, zone, now, onDevices }, options, source)
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
  await onDevices?.(ids)
  if (type === 'states') {
    return { states: await readDeviceStates(db, looker, ids, { range, most, now }), total }
  }
  if (type === 'table' || type === 'map' || type === 'downlink') {
    return { devices: await readDevices(db, looker, ids, now), total }
  }
  const asked = { type, source: source ?? {}, options, range, zone }
  const measured = await readMeasured(db, organizationId, ids, asked)
  if (type === 'chart' || type === 'bars') {
    return { ...measured, total, notes: await readNotes(db, looker, ids, range) }
  }
  if (type !== 'tiles') return { ...measured, total }
  return { ...measured, total, devices: await readDevices(db, looker, ids.slice(0, most), now) }
}

/** Lines of several sources, with the step of the first. */
async function readSeveral(
  { db, looker, known, range, zone, onDevices }: Context,
  options: WidgetOptions,
  { more = [], ...first }: WidgetSource,
): Promise<Parts> {
  const { organizationId } = looker
  const parts: { source: WidgetSource; ids: number[]; total: number }[] = []
  for (const source of [first, ...more]) {
    const filter = filterOf(source, looker, known)
    parts.push({ source, ...(await chooseDevices(db, organizationId, filter, mostMeasured)) })
  }
  const ids = [...new Set(parts.flatMap((part) => part.ids))]
  await onDevices?.(ids)
  const series: WidgetData['series'] = []
  let { step } = options
  for (const part of parts) {
    const chosen = { ...options, ...(step !== undefined && { step }) }
    const asked = { type: 'chart' as const, source: part.source, options: chosen, range, zone }
    const measured = await readMeasured(db, organizationId, part.ids, asked)
    step = measured.step ?? step
    series.push(...measured.series)
  }
  return {
    ...{ step: step === 'auto' ? null : (step ?? null), aggregate: ['avg', 'min', 'max'], series },
    total: parts.reduce((sum, { total }) => sum + total, 0),
    notes: await readNotes(db, looker, ids, range),
  }
}

async function readNotes(db: Database, looker: Looker, ids: readonly number[], range: TimeRange) {
  const notes = await listForChart(db, looker, ids, { ...range, most: mostNotes })
  return notes.map(({ at, ...rest }) => ({ at: isoTime(at), ...rest }))
}

/** One floor plan, or the first ones of a group. */
async function readPlans(
  db: Database,
  looker: Looker,
  { plan, group }: WidgetSource = {},
  now: Date,
) {
  const ids = plan
    ? [plan]
    : group && looker.tag === undefined
      ? (await listPlans(db, looker, group)).map(({ id }) => id).slice(0, mostPlans)
      : []
  const plans = await Promise.all(ids.map((id) => readPlan(db, looker, id, now)))
  return plans.map(({ id, name, width, height, revision, positions }) => ({
    ...{ id, name, width, height, revision, positions },
  }))
}

/** Devices that are summed up, or ordered by what they measure. */
const mostMeasured = 1000
const mostNotes = 50
const mostShown: Partial<Record<Widget['type'], number>> = { states: 10, alerts: 50, battery: 50 }

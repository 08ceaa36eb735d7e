import { z } from 'zod'
import type { Database, Queryable } from '../../db/connect.ts'
import * as groupQueries from '../../features/fleet/groups/group-queries.ts'
import { readReference } from '../../features/fleet/inventory/references.ts'
import { tagList } from '../../features/fleet/inventory/tags.ts'
import type { Caller } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import {
  queryChoice,
  queryTime,
  requiredInteger,
  requiredText,
  timeZoneName,
} from '../../http/fields.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { formatChoices } from '../../lora/formats.ts'
import { findDeviceType } from '../../sensors/index.ts'
import { baseOf, type Measurement } from '../../sensors/measurement.ts'
import { statesOf, textOfState } from '../../sensors/measurements.ts'
import { longestName } from '../rollups/rollup-queries.ts'
import { measurementsOf } from './asked-measurements.ts'
import { mostUplinks } from './measurement-queries.ts'
import { type Aggregate, aggregates, behind, type PointRow, readPoints } from './points-queries.ts'
import { listSeriesDevices, type Selector, type SeriesDevice } from './series-queries.ts'
import {
  chooseStep,
  countSteps,
  divide,
  hour,
  lengthOf,
  type Parts,
  type Step,
  steps,
  toRange,
} from './steps.ts'
import { readTimesIn, type TimesIn } from './time-in.ts'

/** Of one request: measurements of devices, and points of each: two for a pixel of a chart. */
export const mostSeries = 1000
export const mostPoints = 1000
/** Points of all series together, and with a step that is chosen here. */
export const mostTotal = 250_000
export const mostByChoice = 50_000
/** Of more series, uplinks are too many to be read for a step that nobody has asked for. */
const mostOfUplinks = 10
const mostSelectors = 20

export const count = (value: number) => value.toLocaleString('en-US')
const oneOf = (names: string) => `The series must have exactly one of: ${names}.`
const deviceMessage = 'Each device must be a DevEUI or an id.'
const devicesMessage = `The devices must be 1 to ${count(mostSeries)} DevEUIs or ids.`

const selector = z
  .strictObject({
    devices: z
      .array(z.union([z.string(), z.int()], { error: deviceMessage }).transform(String), {
        error: devicesMessage,
      })
      .min(1, devicesMessage)
      .max(mostSeries, devicesMessage)
      .optional()
      .meta({ examples: [['00AA000000000001']] }),
    group: requiredInteger('group')
      .optional()
      .describe('The id of a group: the devices in it and in the groups below it.'),
    device_type: requiredInteger('device type')
      .optional()
      .describe('The devices of a type, built in or your own.'),
    tag: tagList
      .refine((tags) => tags !== undefined, 'The tag field is required.')
      .optional()
      .meta({
        type: 'string',
        description: 'The devices with all of these tags, such as `floor:2,critical`.',
      }),
    measurement: requiredText('measurement', longestName)
      .optional()
      .describe('A key of `decoded_object`, or a path within it, such as `air.value`.')
      .meta({ examples: ['temperature'] }),
    quantity: requiredText('quantity', longestName)
      .optional()
      .describe('What is measured, whatever the sensor calls it, such as `air.temperature`.'),
  })
  .refine(({ devices, group, device_type, tag }) => isOne([devices, group, device_type, tag]), {
    error: oneOf('devices, group, device_type, tag'),
  })
  .refine(({ measurement: name, quantity }) => isOne([name, quantity]), {
    error: oneOf('measurement, quantity'),
  })
type SentSelector = z.infer<typeof selector>

const seriesMessage = `The series must be a list of 1 to ${mostSelectors}.`
const timeIn = 'time_in'
const aggregateMessage = `The aggregate must be a list of: ${aggregates.join(', ')}, or ${timeIn} alone.`

export const seriesRecord = z
  .object({
    device_id: z.string().meta({ examples: ['00AA000000000001'] }),
    device_name: z.string().meta({ examples: ['Cold store'] }),
    measurement: z.string().meta({ examples: ['temperature'] }),
    quantity: z
      .string()
      .nullable()
      .meta({ examples: ['air.temperature'] }),
    label: z.string().meta({ examples: ['Temperature'] }),
    unit: z
      .string()
      .nullable()
      .meta({ examples: ['°C'] }),
    values: z
      .array(z.object({ value: z.string(), text: z.string().describe('The value in words.') }))
      .optional()
      .describe('With `time_in`: the values of the state.')
      .meta({ examples: [[{ value: 'open', text: 'Open' }]] }),
    points: z
      .array(z.array(z.union([z.string(), z.number()])))
      .describe(
        'The beginning of the step, then the values in the order of `aggregate`; with `time_in` the seconds in the order of `values`.',
      )
      .meta({ examples: [[['2026-02-28T12:00:00.000000Z', 4.5]]] }),
  })
  .meta({ id: 'MeasurementSeries' })
export type SeriesRecord = z.infer<typeof seriesRecord>

/** The measurements that are asked for, of the devices that are asked for. */
export const seriesSelectors = z
  .array(selector, { error: seriesMessage })
  .min(1, seriesMessage)
  .max(mostSelectors, seriesMessage)

export const measurementQuery = z.object({
  from: queryTime('from').meta({ examples: ['2026-02-01T00:00:00Z'] }),
  to: queryTime('to').meta({ examples: ['2026-03-01T00:00:00Z'] }),
  step: queryChoice('step', ['auto', ...steps]).default('auto'),
  aggregate: z
    .array(z.enum([...aggregates, timeIn], aggregateMessage), { error: aggregateMessage })
    .min(1, aggregateMessage)
    .max(aggregates.length, aggregateMessage)
    .refine((list) => !list.includes(timeIn) || list.length === 1, aggregateMessage)
    .default(['avg']),
  time_zone: timeZoneName.default('UTC'),
  week_start: queryChoice('week start', formatChoices.week_start).default('monday'),
  series: seriesSelectors,
})

/** Whose devices a reader sees: those of an organization, or of one group or tag of it. */
type Reader = Pick<Caller, 'organizationId' | 'groupId' | 'tag'>

/** @throws HttpError 422 with what is wrong. */
export async function readMeasurements(
  db: Database,
  reader: Reader,
  body: z.infer<typeof measurementQuery>,
  now: Date,
): Promise<SeriesRecord[]> {
  const isTimeIn = body.aggregate.includes(timeIn)
  const { from, to } = toRange(body, now)
  const series = await findSeries(db, reader, body.series, isTimeIn)
  if (series.length === 0) return []
  const most = Math.min(mostPoints, Math.floor(mostByChoice / series.length))
  const shortest = !isTimeIn && series.length <= mostOfUplinks ? 0 : hour
  const step = body.step === 'auto' ? chooseStep({ from, to }, most, shortest) : body.step
  if (isTimeIn && lengthOf(step) < hour) throw invalid({ step: [tooShort] })
  const points = countSteps({ from, to }, step)
  if (points > mostPoints || points * series.length > mostTotal) {
    throw invalid({ step: [tooManyPoints] })
  }
  const { organizationId } = reader
  const zone = { timeZone: body.time_zone, weekStart: body.week_start }
  const partsOf = (length: Step) => divide({ from, to }, length, zone)
  let parts = partsOf(step)
  if (isTimeIn) {
    const states = series.map(({ device, of }) => ({ device_id: device.id, name: of.name }))
    const times = foundOr422(await readTimesIn(db, organizationId, { states, parts, now }))
    return toTimeRecords(series, times, parts)
  }
  const aggregate = body.aggregate.filter((name) => name !== timeIn)
  const keys = series.map(({ device, of }, place) => ({
    place,
    device_id: device.id,
    name: of.name,
    isNested: findDeviceType(device.type_id) === undefined,
  }))
  const read = (length: Step) =>
    readPoints(db, organizationId, { series: keys, parts, step: lengthOf(length), aggregate })
  let found = await read(step)
  if (found === 'too_many' && body.step === 'auto' && lengthOf(step) < hour) {
    parts = partsOf('1h')
    found = await read('1h')
  }
  return toRecords(series, foundOr422(found), { parts, aggregate })
}

/** @throws HttpError 422 with what is wrong. */
function foundOr422<T>(found: T | 'too_many' | 'behind'): T {
  if (found === 'too_many') throw invalid({ from: [tooMany] })
  if (found === 'behind') throw invalid({ step: [behind] })
  return found
}

const tooShort = 'The step must be an hour or more: the time in each value is summed up by hour.'
const tooManyPoints =
  `The answer would have more than ${count(mostPoints)} points of a series, or ${count(mostTotal)} of all.` +
  ' Please choose a longer step, a shorter range or fewer devices.'
const tooMany =
  `The range holds more than ${count(mostUplinks)} uplinks, or more than can be read at once.` +
  ' Please choose a longer step, a shorter range or fewer devices.'
const tooManySeries = `There are more than ${count(mostSeries)} series. Please choose fewer devices.`

function isOne(values: readonly unknown[]): boolean {
  return values.filter((value) => value !== undefined).length === 1
}

interface Series {
  device: SeriesDevice
  of: Measurement
  /** It was named, so it is shown without points too. */
  isNamed: boolean
}

/** Each measurement of a device once, in the order in which they are asked for. */
async function findSeries(
  db: Queryable,
  reader: Reader,
  sent: readonly SentSelector[],
  isTimeIn: boolean,
): Promise<Series[]> {
  const found = new Map<string, Series>()
  for (const [place, each] of sent.entries()) {
    const selected = await toSelector(db, reader, each, place)
    const devices = await listSeriesDevices(db, reader.organizationId, selected, {
      within: { group: reader.groupId, tag: reader.tag },
      most: mostSeries + 1,
    })
    if (devices.length > mostSeries) throw invalid({ [`series.${place}`]: [tooManySeries] })
    const ordered = 'devices' in selected ? inSentOrder(each.devices, devices, place) : devices
    for (const device of ordered) {
      for (const of of isTimeIn ? statesFor(device, each) : measurementsOf(device, each)) {
        const key = `${device.id} ${of.name}`
        const isNamed = 'devices' in selected || found.get(key)?.isNamed === true
        found.set(key, { device, of, isNamed })
      }
    }
    if (found.size > mostSeries) throw invalid({ [`series.${place}`]: [tooManySeries] })
  }
  return [...found.values()]
}

async function toSelector(
  db: Queryable,
  { organizationId, groupId }: Reader,
  { devices, group, device_type: deviceType, tag }: SentSelector,
  place: number,
): Promise<Selector> {
  if (devices) return { devices: devices.map(readReference) }
  if (deviceType !== undefined) return { deviceType }
  if (tag !== undefined) return { tag }
  const id = group ?? 0
  const way = await groupQueries.listWayUp(db, organizationId, id)
  if (way.length === 0 || (groupId !== undefined && !way.includes(groupId))) {
    throw invalid({ [`series.${place}.group`]: ['The selected group is invalid.'] })
  }
  return { group: id }
}

/** @throws HttpError 422 that names a device which is not there. */
function inSentOrder(
  sent: readonly string[] = [],
  devices: readonly SeriesDevice[],
  place: number,
): SeriesDevice[] {
  const known = new Map<string | number, SeriesDevice>(
    devices.flatMap((device) => [
      [device.id, device],
      [device.eui, device],
    ]),
  )
  return sent.map((text, index) => {
    const { id, eui } = readReference(text)
    const device = known.get(eui ?? id ?? '')
    if (device) return device
    throw invalid({ [`series.${place}.devices.${index}`]: ['The selected device is invalid.'] })
  })
}

/** As `measurementsOf`, of the states of a device. */
function statesFor(device: SeriesDevice, sent: SentSelector): readonly Measurement[] {
  const states = statesOf(device)
  if (sent.quantity !== undefined)
    return states.filter(({ quantity }) => quantity === sent.quantity)
  const state = states.find(({ name }) => name === sent.measurement)
  return state ? [state] : measurementsOf(device, sent)
}

const timesOf = ({ starts }: Parts) => starts.map((start) => isoTimeOf(new Date(start)))

function toRecord({ device, of }: Series): SeriesRecord {
  return {
    device_id: device.device_eui,
    device_name: device.name,
    measurement: of.name,
    quantity: of.quantity ?? null,
    label: of.label,
    unit: baseOf(of).unit ?? null,
    points: [],
  }
}

function withPoints(series: readonly Series[], records: readonly SeriesRecord[]): SeriesRecord[] {
  return records.filter((record, place) => series[place]?.isNamed || record.points.length > 0)
}

function toTimeRecords(
  series: readonly Series[],
  times: readonly TimesIn[],
  parts: Parts,
): SeriesRecord[] {
  const begins = timesOf(parts)
  const records = series.map((one, place): SeriesRecord => {
    const own = times[place] ?? new Map<string, number[]>()
    const words = (one.of.words ?? []).map(({ value }) => value).filter((value) => own.has(value))
    const values = [...new Set([...words, ...[...own.keys()].toSorted()])]
    const points = begins.flatMap((begin, part) => {
      const seconds = values.map((value) => (own.get(value)?.[part] ?? 0) / 1_000_000)
      return seconds.some((time) => time > 0) ? [[begin, ...seconds]] : []
    })
    const told = values.map((value) => ({ value, text: textOfState(one.of, value) }))
    return { ...toRecord(one), unit: 's', values: told, points }
  })
  return withPoints(series, records)
}

function toRecords(
  series: readonly Series[],
  points: readonly PointRow[],
  { parts, aggregate }: { parts: Parts; aggregate: readonly Aggregate[] },
): SeriesRecord[] {
  const times = timesOf(parts)
  const records = series.map(toRecord)
  const conversions = series.map(({ of }) => baseOf(of).convert)
  for (const [place, part, ...values] of points) {
    const given = values.map((value, index) =>
      aggregate[index] === 'count' ? value : (conversions[place]?.(value) ?? value),
    )
    records[place]?.points.push([times[part] ?? '', ...given])
  }
  return withPoints(series, records)
}

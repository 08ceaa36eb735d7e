import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { devicePath, readReference } from '../../features/fleet/inventory/references.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { isStorable, queryInteger, queryTime } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { findDeviceType } from '../../sensors/index.ts'
import { baseOf, measurementKinds } from '../../sensors/measurement.ts'
import { describeNumber } from '../../sensors/measurements.ts'
import {
  type Bucket,
  findDevice,
  type Latest,
  type MeasuredDevice,
  mostKeys,
  mostUplinks,
  readMeasurements,
} from './measurement-queries.ts'
import { toRange } from './steps.ts'

const longestKey = 255

const keysMessage = `The keys must be up to ${mostKeys} names, separated by commas.`
const keyList = z
  .string({ error: keysMessage })
  .transform((text) => [...new Set(text.split(',').filter((key) => key !== ''))])
  .refine((keys) => keys.length <= mostKeys && keys.every(isKey), keysMessage)

function isKey(key: string): boolean {
  return key.length <= longestKey && isStorable(key)
}

const pointRecord = z
  .object({
    time: z.string().meta({ description: 'When the part of the range begins.' }),
    min: z.number(),
    max: z.number(),
    average: z.number(),
    count: z.int(),
  })
  .meta({ id: 'MeasurementPoint' })

const measurementRecord = z
  .object({
    key: z.string().meta({ description: 'The same as the name.' }),
    name: z.string().meta({ description: 'The key of `decoded_object`, or the path within it.' }),
    label: z.string(),
    quantity: z
      .string()
      .nullable()
      .meta({ description: 'What it measures, whatever the maker; null where it is not known.' }),
    unit: z.string().nullable(),
    kind: z.enum(measurementKinds),
    decimals: z
      .int()
      .nullable()
      .meta({ description: 'With how many a person is shown it; null where it is not known.' }),
    latest: z.object({ value: z.number(), time: z.string() }).nullable(),
    points: z.array(pointRecord),
  })
  .meta({ id: 'Measurement' })

export const showMeasurements = endpoint({
  summary: 'Latest values and history of what a device measures',
  description: `The numbers of \`decoded_object\` in the device's uplinks with \`from\` <= \`event_time\` < \`to\`
(the last 24 hours unless said otherwise), each with its latest value and its lowest, highest and
average value in up to \`points\` equal parts of the range; parts without a value are left out. A number
within objects and lists of a codec's data is named by its path, such as \`air.value\` or \`probes.0\`.

Without \`keys\`, all numbers that the range holds, up to ${mostKeys}, in the order of their names. A key
that it does not hold has \`latest\` null and no points. \`unit\` is null where there is none or none
is known. A range with more than ${mostUplinks.toLocaleString('en-US')} uplinks is refused with 422.`,
  examples: [
    {
      name: 'one measurement',
      query: { keys: 'temperature', from: '2026-02-28T00:00:00Z', to: '2026-03-01T00:00:00Z' },
      answer: {
        data: [
          {
            key: 'temperature',
            name: 'temperature',
            label: 'Temperature',
            quantity: 'air.temperature',
            unit: '°C',
            kind: 'number',
            decimals: 1,
            latest: { value: 23.7, time: '2026-02-28T21:15:03.412000Z' },
            points: [
              {
                time: '2026-02-28T21:07:12.000000Z',
                min: 23.1,
                max: 23.7,
                average: 23.4,
                count: 2,
              },
            ],
          },
        ],
      },
    },
  ],
  params: devicePath,
  query: z.object({
    keys: keyList.optional(),
    from: queryTime('from').optional(),
    to: queryTime('to').optional(),
    points: queryInteger('points', { min: 1, max: 1000, fallback: 100 }),
  }),
  answer: z.object({ data: z.array(measurementRecord) }),
  failures: [404],
  isLarge: true,
  async handle({ params, query, caller }, { db, now }) {
    const { organizationId } = caller
    const { from, to } = toRange(query, now())
    const device = await findDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const keys = query.keys?.length ? query.keys : undefined
    const isNested = findDeviceType(device.type_id) === undefined
    const range = { device, from, to, points: query.points, keys, isNested }
    const found = await readMeasurements(db, organizationId, range)
    if (found === 'too_many') throw invalid({ from: [tooMany] })
    const hidden = device.own_type?.measurements.filter(({ isHidden }) => isHidden) ?? []
    const left = new Set(hidden.map(({ name }) => name))
    const all = new Set(found.buckets.map(({ key }) => key))
    const names = keys ?? [...all.difference(left)]
    return { data: toMeasurements(names, found, device) }
  },
})

const tooMany =
  `The range holds more than ${mostUplinks.toLocaleString('en-US')} uplinks, or more than can be` +
  ' read at once. Please choose a shorter one.'

function toMeasurements(
  keys: readonly string[],
  { buckets, latest }: { buckets: readonly Bucket[]; latest: readonly Latest[] },
  device: MeasuredDevice,
): z.infer<typeof measurementRecord>[] {
  const bucketsByKey = Map.groupBy(buckets, ({ key }) => key)
  const latestByKey = new Map(latest.map((value) => [value.key, value]))
  return keys.map((key) => {
    const last = latestByKey.get(key)
    const measured = describeNumber(key, device, last?.decoded_object)
    const { label, quantity, kind } = measured
    const { unit, decimals, convert } = baseOf(measured)
    return {
      key,
      name: key,
      label,
      quantity: quantity ?? null,
      unit: unit ?? null,
      kind,
      decimals: decimals ?? null,
      latest: last ? { value: convert(last.value), time: isoTime(last.time) } : null,
      points: (bucketsByKey.get(key) ?? []).map((bucket) => toPoint(bucket, convert)),
    }
  })
}

function toPoint(
  { time, min, max, average, count }: Bucket,
  convert: (value: number) => number,
): z.infer<typeof pointRecord> {
  const values = { min: convert(min), max: convert(max), average: convert(average) }
  return { time: isoTime(time), ...values, count }
}

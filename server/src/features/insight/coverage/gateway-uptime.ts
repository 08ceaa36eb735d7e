import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bomField, csvLine, withMark } from '../../../http/csv.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice, queryTime, searchText, timeZoneName } from '../../../http/fields.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { type TimeRange, toRange } from '../../../uplinks/read/steps.ts'
import { endpoint } from '../../core-services.ts'
import { findFleetGateway, listGatewayIds } from '../../fleet/gateways/fleet-gateway-queries.ts'
import { roundUptime } from '../../fleet/gateways/fleet-gateway-record.ts'
import * as outageQueries from '../../fleet/gateways/outage-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../../fleet/inventory/references.ts'
import { tagFilter } from '../../fleet/inventory/tags.ts'

const day = 24 * 60 * 60 * 1000
/** Two years of days. */
const mostParts = 732
/** Of an export, which has a line for each of them and each gateway. */
const mostExported = 100
const shownOutages = 100

const rangeFields = {
  from: queryTime('from')
    .optional()
    .describe('30 days before its end, or 365 days of months, if it is left out.'),
  to: queryTime('to').optional().describe('Now, if it is left out.'),
  step: queryChoice('step', ['day', 'month']).default('day'),
  time_zone: timeZoneName.default('UTC').describe('In which days and months begin.'),
}

type RangeQuery = z.infer<z.ZodObject<typeof rangeFields>>

const part = z
  .object(
    withExamples(
      {
        from: z.string(),
        to: z.string(),
        uptime: z
          .number()
          .nullable()
          .describe('In percent, of the time that is known and over; null where none is.'),
        offline_seconds: z.int(),
        outages: z.int().describe('Those that began then.'),
      },
      {
        from: '2026-02-28T00:00:00.000000Z',
        to: '2026-03-01T00:00:00.000000Z',
        uptime: 97.5,
        offline_seconds: 2160,
        outages: 1,
      },
    ),
  )
  .meta({ id: 'GatewayUptime' })

type Part = z.infer<typeof part>

const outage = z.object(
  withExamples(
    {
      began_at: z.string().describe('The last uplink before.'),
      ended_at: z.string().nullable().describe('The first uplink after; null while it goes on.'),
      seconds: z.int(),
    },
    {
      began_at: '2026-02-28T03:10:00.000000Z',
      ended_at: '2026-02-28T03:46:00.000000Z',
      seconds: 2160,
    },
  ),
)

export const showGatewayUptime = endpoint({
  summary: 'The uptime of a gateway by day or month, and its outages',
  description: `A gateway is offline while its verdict is \`silent\`, from its last uplink on. Outages are kept for two years, the newest 1,000 of a gateway. Time in which the service did not run counts as online.`,
  params: gatewayPath,
  query: z.object(rangeFields),
  answer: z.object({
    data: z.object({
      ...withExamples(
        {
          known_since: z.string().nullable().describe('Nothing is known of the time before.'),
          uptime: z.number().nullable().describe('Of the whole range, in percent.'),
          offline_seconds: z.int(),
        },
        { known_since: '2026-02-02T10:20:41.000000Z', uptime: 99.91, offline_seconds: 2160 },
      ),
      parts: z.array(part).describe('Days or months, the oldest first.'),
      outages: z.array(outage).describe(`The newest first, up to ${shownOutages}.`),
    }),
  }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const reference = readReference(params.gateway_id)
    const time = now()
    const gateway = await findFleetGateway(db, organizationId, reference, time)
    if (!gateway) throw notFound(gatewayNotFound)
    const range = readRange(query, time)
    const borders = divide(range, query, mostParts)
    const [from, to] = [new Date(borders[0] ?? 0), new Date(borders.at(-1) ?? 0)]
    const shown = { from, to, limit: shownOutages }
    const [[read], outages] = await Promise.all([
      readUptime(db, organizationId, [gateway.id], { borders, now: time }),
      outageQueries.listOutages(db, organizationId, gateway.id, shown),
    ])
    if (!read) throw notFound(gatewayNotFound)
    const seconds = read.parts.reduce((sum, { offline_seconds }) => sum + offline_seconds, 0)
    return {
      data: {
        known_since: read.known.known_since && isoTime(read.known.known_since),
        uptime: percent(seconds, knownSeconds(read.known, { from, to }, time)),
        offline_seconds: seconds,
        parts: read.parts,
        outages: outages.map(({ began_at, ended_at }) => ({
          began_at: isoTime(began_at),
          ended_at: ended_at && isoTime(ended_at),
          seconds: Math.round(
            ((ended_at ? Date.parse(ended_at) : time.getTime()) - Date.parse(began_at)) / 1000,
          ),
        })),
      },
    }
  },
})

/** Gateways of one query and of one turn of the event loop. */
const chunkSize = 500

export const exportGatewayUptime = endpoint({
  summary: 'The uptime of all gateways that match as CSV, by day or month',
  description: `A line for each gateway and each day or month, up to ${mostExported} of them.`,
  query: z.object({
    search: searchText(),
    network: searchText('network').optional(),
    tag: tagFilter,
    ...rangeFields,
    ...bomField,
  }),
  isHeavy: true,
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'gateway-uptime.csv',
    example:
      'gateway_eui,name,network,from,to,uptime_percent,offline_minutes,outages\r\n00AA0000000000F1,Roof,ChirpStack v4,2026-02-28T00:00:00.000000Z,2026-03-01T00:00:00.000000Z,97.5,36,1\r\n',
  },
  async handle({ query, caller: { organizationId } }, { db, now }) {
    const time = now()
    const borders = divide(readRange(query, time), query, mostExported)
    const { search, network, tag } = query
    const filter = { search, network: network || undefined, tag }
    const ids = await listGatewayIds(db, organizationId, filter, time)
    return withMark(query, csv(db, organizationId, ids, { borders, now: time }))
  },
})

async function* csv(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
  of: { borders: readonly number[]; now: Date },
) {
  const names = ['from', 'to', 'uptime_percent', 'offline_minutes', 'outages']
  yield csvLine(['gateway_eui', 'name', 'network', ...names])
  for (let first = 0; first < ids.length; first += chunkSize) {
    const chunk = ids.slice(first, first + chunkSize)
    for (const { known, parts } of await readUptime(db, organizationId, chunk, of)) {
      const network = findNetwork(known.network)?.name ?? known.network
      yield parts
        .map(({ from, to, uptime, offline_seconds: seconds, outages }) =>
          csvLine([
            ...[known.gateway_eui, known.name, network, from, to, uptime],
            ...[Math.round(seconds / 60), outages],
          ]),
        )
        .join('')
    }
  }
}

/** @throws HttpError 422 */
function readRange({ from, to, step }: RangeQuery, now: Date): TimeRange {
  const end = to ?? now
  const usual = new Date(end.getTime() - (step === 'day' ? 29 : 365) * day)
  return toRange({ from: from ?? usual, to: end }, now)
}

/**
 * Where the days or months of the range begin, and where the last one ends.
 *
 * @throws HttpError 422 where there are too many.
 */
function divide({ from, to }: TimeRange, { step, time_zone }: RangeQuery, most: number): number[] {
  const length = step === 'day' ? { days: 1 } : { months: 1 }
  const begin = Temporal.Instant.fromEpochMilliseconds(from.getTime())
  let date = begin.toZonedDateTimeISO(time_zone).toPlainDate()
  if (step === 'month') date = date.with({ day: 1 })
  const borders: number[] = []
  while ((borders.at(-1) ?? 0) < to.getTime()) {
    if (borders.length > most)
      throw invalid({ from: [`The range has more than ${most} ${step}s.`] })
    borders.push(date.toZonedDateTime({ timeZone: time_zone }).epochMilliseconds)
    date = date.add(length)
  }
  return borders
}

interface ReadUptime {
  known: outageQueries.KnownTime
  parts: Part[]
}

async function readUptime(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
  { borders, now }: { borders: readonly number[]; now: Date },
): Promise<ReadUptime[]> {
  const starts = borders.slice(0, -1).map((at) => new Date(at))
  const ends = borders.slice(1).map((at) => new Date(at))
  const [knownTimes, sums] = await Promise.all([
    outageQueries.listKnownTimes(db, organizationId, ids, now),
    outageQueries.sumOutages(db, organizationId, ids, { starts, ends, now }),
  ])
  const byPlace = new Map(sums.map((sum) => [`${sum.gateway_id} ${sum.part}`, sum]))
  return knownTimes.map((known) => ({
    known,
    parts: starts.map((from, index) => {
      const to = ends[index] ?? now
      const { seconds = 0, outages = 0 } = byPlace.get(`${known.id} ${index}`) ?? {}
      return {
        from: isoTimeOf(from),
        to: isoTimeOf(to),
        uptime: percent(seconds, knownSeconds(known, { from, to }, now)),
        offline_seconds: Math.round(seconds),
        outages,
      }
    }),
  }))
}

/** Seconds of the range that are over, and of which something is known. */
function knownSeconds(
  { known_since }: outageQueries.KnownTime,
  { from, to }: TimeRange,
  now: Date,
): number {
  if (known_since === null) return 0
  const begin = Math.max(from.getTime(), Date.parse(known_since))
  return (Math.min(to.getTime(), now.getTime()) - begin) / 1000
}

function percent(offline: number, known: number): number | null {
  return known <= 0 ? null : roundUptime(100 - (100 * offline) / known)
}

import { createHistogram, performance } from 'node:perf_hooks'
import { openConnection, requestBytes, type Target } from './http-connection.ts'
import { runPacedLoad } from './paced-load.ts'
import {
  chirpStackUplink,
  messageWriter,
  type SendingAccount,
  type UplinkTemplate,
} from './uplink-message.ts'

/*
 * The load generator, a process of its own that runs one load at a time. It is a closed loop, unless
 * the load has a rate: each connection sends its next request after the answer to the last one.
 */

/** One load on one target. */
export interface Load {
  target: Target
  method: string
  path: string
  headers: Record<string, string>
  connections: number
  seconds: number
  /** It goes on after these until so many are acknowledged; in a closed loop. */
  least?: number
  /** Requests a second, whatever the answers take; without it the loop is closed. */
  rate?: number
  /** With a rate: a request that finds all connections busy is left out. Otherwise it waits. */
  leavesOut?: boolean
  /** Sent with every request; with `uplinksOf` it is the uplink. */
  body?: string
  /** Every request is another uplink of one of so many devices. */
  uplinksOf?: number
  /** Number of the first of these devices, 0 unless said otherwise. */
  firstDevice?: number
  /** The form of the uplinks, ChirpStack's unless said otherwise. */
  template?: UplinkTemplate
  /** Accounts that send in turn, each for all of the devices; `path` and `headers` are the first's. */
  accounts?: readonly SendingAccount[]
}

export interface LoadResult {
  /** Answers with status 2xx, including the warm-up. */
  acknowledged: number
  /** Other answers. */
  refused: number
  /** How many of these have each status. */
  statuses: Record<number, number>
  /** Answers with status 2xx per second, after the warm-up. */
  perSecond: number
  /** Milliseconds, after the warm-up. */
  p50: number
  p99: number
  p999: number
  longest: number
  /** Bytes of one answer, including its head. */
  answerBytes: number
  /** With a rate: requests that found all connections busy. */
  leftOut?: number
  /** With a rate: when the last request was sent, in milliseconds since 1970. */
  endedAt?: number
}

/** Counts the answers that are no 2xx. */
export function countRefusals() {
  const statuses: Record<number, number> = {}
  return {
    add(status: number) {
      statuses[status] = (statuses[status] ?? 0) + 1
    },
    read: () => ({
      refused: Object.values(statuses).reduce((sum, count) => sum + count, 0),
      statuses,
    }),
  }
}

/** The share of a load's time that is not counted. */
const warmUpShare = 0.2

export async function runLoad(load: Load): Promise<LoadResult> {
  const { uplinksOf, template = chirpStackUplink, least = 0 } = load
  const message = uplinksOf === undefined ? (load.body ?? '') : template.text
  const request = requestBytes(load.method, load.path, load.headers, message)
  const write =
    uplinksOf === undefined
      ? undefined
      : messageWriter(request, { devices: uplinksOf, ...load }, template)
  if (load.rate !== undefined) {
    return runPacedLoad({ load, rate: load.rate, request, write, warmUpShare })
  }
  const latencies = createHistogram()
  const counts = { acknowledged: 0, counted: 0, answerBytes: 0 }
  const refusals = countRefusals()
  const begin = performance.now()
  const end = begin + load.seconds * 1000
  const countFrom = begin + load.seconds * 1000 * warmUpShare
  let last = begin

  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const bytes = Buffer.from(request)
      let sentAt = 0
      const socket = openConnection(load.target, onAnswer, reject)
      socket.once('connect', send)
      function send() {
        write?.(bytes)
        sentAt = performance.now()
        socket.write(bytes)
      }
      function onAnswer(answer: { status: number; bytes: number }) {
        last = performance.now()
        const isAcknowledged = answer.status >= 200 && answer.status < 300
        if (isAcknowledged) counts.acknowledged += 1
        else refusals.add(answer.status)
        counts.answerBytes = answer.bytes
        if (isAcknowledged && last >= countFrom) {
          counts.counted += 1
          latencies.record(Math.max(1, Math.round((last - sentAt) * 1000)))
        }
        if (last < end || counts.acknowledged < least) return send()
        socket.destroy()
        resolve()
      }
    })
  await Promise.all(Array.from({ length: load.connections }, runConnection))
  return {
    acknowledged: counts.acknowledged,
    ...refusals.read(),
    perSecond: (counts.counted / (last - countFrom)) * 1000,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    p999: latencies.percentile(99.9) / 1000,
    longest: latencies.max / 1000,
    answerBytes: counts.answerBytes,
  }
}

process.on('message', async (message) => {
  if (typeof message !== 'object' || message === null || !('load' in message)) return
  try {
    process.send?.(await runLoad(message.load as Load))
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.channel?.ref()

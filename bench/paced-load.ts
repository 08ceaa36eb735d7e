import { createHistogram, performance } from 'node:perf_hooks'
import { countRefusals, type Load, type LoadResult } from './generator.ts'
import { type Answer, openConnection } from './http-connection.ts'
import type { MessageWriter } from './uplink-message.ts'

interface Sending {
  load: Load
  /** Requests a second, at random intervals. */
  rate: number
  request: Buffer
  write: MessageWriter | undefined
  warmUpShare: number
}

/**
 * Sends at the given rate, however slow the answers are (an open loop). Latencies count from the
 * moment when a request was due, also if all connections were busy then.
 */
export async function runPacedLoad(sending: Sending): Promise<LoadResult> {
  const { load, request, write } = sending
  const latencies = createHistogram()
  const counts = { acknowledged: 0, counted: 0, answerBytes: 0 }
  const refusals = countRefusals()
  const begin = performance.now()
  const countFrom = begin + load.seconds * 1000 * sending.warmUpShare
  const due: number[] = []
  const free: ((dueAt: number) => void)[] = []
  let last = begin
  let failure: Error | undefined

  const connect = () =>
    new Promise<() => void>((resolve, reject) => {
      const bytes = Buffer.from(request)
      let dueAt = 0
      const onError = (error: Error) => {
        failure = error
        reject(error)
      }
      const socket = openConnection(load.target, onAnswer, onError)
      const send = (since: number) => {
        dueAt = since
        write?.(bytes)
        socket.write(bytes)
      }
      socket.once('connect', () => {
        free.push(send)
        resolve(() => socket.destroy())
      })
      function onAnswer({ status, bytes: length }: Answer) {
        last = performance.now()
        const isAcknowledged = status >= 200 && status < 300
        if (isAcknowledged) counts.acknowledged += 1
        else refusals.add(status)
        counts.answerBytes = length
        if (isAcknowledged && dueAt >= countFrom) {
          counts.counted += 1
          latencies.record(Math.max(1, Math.round((last - dueAt) * 1000)))
        }
        const next = due.shift()
        if (next === undefined) free.push(send)
        else send(next)
      }
    })
  const closers = await Promise.all(Array.from({ length: load.connections }, connect))
  await keepPace(sending, begin, (dueAt) => {
    if (failure) throw failure
    // In turn: the server closes connections that send nothing for long.
    const send = free.shift()
    if (send) send(dueAt)
    else if (!load.leavesOut) due.push(dueAt)
  })
  while (free.length < load.connections && !failure) await nextTick()
  for (const close of closers) close()
  if (failure) throw failure
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

/** Calls `send` for every request at its time: the intervals are those of independent devices. */
async function keepPace(
  { load, rate }: Sending,
  begin: number,
  send: (dueAt: number) => void,
): Promise<void> {
  const end = begin + load.seconds * 1000
  let next = performance.now()
  while (next < end) {
    await nextTick()
    for (const now = performance.now(); next <= now; ) {
      send(next)
      next += (-Math.log(1 - Math.random()) * 1000) / rate
    }
  }
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}

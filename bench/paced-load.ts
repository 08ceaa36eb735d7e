import { createHistogram, performance } from 'node:perf_hooks'
import { countRefusals, type Load, type LoadResult } from './generator.ts'
import { type Answer, openConnection, requestBytes } from './http-connection.ts'
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
 * Sends at the given rate, however slow the answers are (an open loop), once all connections are open.
 * Latencies count from the moment when a request was due, also if all connections were busy then. The rate is
 * that of the answers while it sends.
 */
export async function runPacedLoad(sending: Sending): Promise<LoadResult> {
  const { load, request, write } = sending
  const tally = createTally()
  const due: number[] = []
  const free: ((dueAt: number) => void)[] = []
  let leftOut = 0
  let failure: Error | undefined

  const connect = () =>
    new Promise<() => void>((resolve, reject) => {
      const bytes = Buffer.from(request)
      let dueAt = 0
      let isOpen = false
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
      // The server closes connections that have never sent anything.
      socket.once('connect', () => socket.write(greeting))
      function onAnswer(answer: Answer) {
        if (!isOpen) {
          isOpen = true
          free.push(send)
          resolve(() => socket.destroy())
          return
        }
        tally.add(answer, dueAt)
        const next = due.shift()
        if (next === undefined) free.push(send)
        else send(next)
      }
    })
  const closers = await inPortions(load.connections, connect)
  const end = tally.begin(load.seconds * 1000, sending.warmUpShare)
  await keepPace(sending.rate, end, (dueAt) => {
    if (failure) throw failure
    // In turn: the server closes connections that send nothing for long.
    const send = free.shift()
    if (send) send(dueAt)
    else if (load.leavesOut) leftOut += 1
    else due.push(dueAt)
  })
  const endedAt = Date.now()
  while (free.length < load.connections && !failure) await nextTick()
  for (const close of closers) close()
  if (failure) throw failure
  return { ...tally.read(), leftOut, endedAt }
}

/** Counts the answers of an open loop. */
function createTally() {
  const latencies = createHistogram()
  const refusals = countRefusals()
  let [acknowledged, counted, answerBytes] = [0, 0, 0]
  let [countFrom, end] = [0, 0]
  return {
    /** Returns when the sending ends. */
    begin(length: number, warmUpShare: number): number {
      const now = performance.now()
      countFrom = now + length * warmUpShare
      end = now + length
      return end
    },
    add({ status, bytes }: Answer, dueAt: number): void {
      answerBytes = bytes
      if (status < 200 || status >= 300) {
        refusals.add(status)
        return
      }
      acknowledged += 1
      const now = performance.now()
      if (now >= countFrom && now < end) counted += 1
      if (dueAt >= countFrom) latencies.record(Math.max(1, Math.round((now - dueAt) * 1000)))
    },
    read: () => ({
      acknowledged,
      ...refusals.read(),
      perSecond: (counted / (end - countFrom)) * 1000,
      p50: latencies.percentile(50) / 1000,
      p99: latencies.percentile(99) / 1000,
      p999: latencies.percentile(99.9) / 1000,
      longest: latencies.max / 1000,
      answerBytes,
    }),
  }
}

const greeting = requestBytes('GET', '/livez', {})

/** Connections that are opened at the same time: fewer than a server lets wait. */
const together = 200

async function inPortions<T>(count: number, connect: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < count) {
    const length = Math.min(together, count - all.length)
    all.push(...(await Promise.all(Array.from({ length }, connect))))
  }
  return all
}

/** Calls `send` for every request at its time: the intervals are those of independent devices. */
async function keepPace(rate: number, end: number, send: (dueAt: number) => void): Promise<void> {
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

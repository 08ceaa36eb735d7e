import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { type Figure, format, median } from './figures.ts'
import type { Target } from './http-connection.ts'
import type { ProbeReading } from './probe.ts'
import type { Helper } from './process.ts'

/** Turns of one round: one call takes a fraction of a second. */
const turnsPerRound = 5

/** One side of a comparison of times: makes one call and returns its time. */
export interface TimedSide {
  process: Helper
  call(): Promise<Call>
}

export interface Call {
  milliseconds: number
  bytes: number
}

export interface Timings {
  /** One per turn, in order. */
  baseline: Call[]
  ours: Call[]
  /** The longest time that a call blocked the event loop of the service, in milliseconds. */
  longestHold: number
}

/**
 * Calls baseline and service in turns, so that other work on the machine affects both alike. A
 * first round is not counted.
 */
export async function timeTurns(
  sides: { baseline: TimedSide; ours: TimedSide },
  rounds: number,
): Promise<Timings> {
  const timings: Timings = { baseline: [], ours: [], longestHold: 0 }
  for (let turn = -turnsPerRound; turn < rounds * turnsPerRound; turn += 1) {
    const baseline = await sides.baseline.call()
    await sides.ours.process.ask({ probe: 'reset' })
    const ours = await sides.ours.call()
    const { longestDelay } = await sides.ours.process.ask<ProbeReading>({ probe: 'read' })
    if (turn < 0) continue
    timings.baseline.push(baseline)
    timings.ours.push(ours)
    timings.longestHold = Math.max(timings.longestHold, longestDelay)
  }
  return timings
}

/** The median time of each side, and per round the baseline's time divided by the service's. */
export function timesFigure(
  name: string,
  baselineName: string,
  { baseline, ours, longestHold }: Timings,
): Omit<Figure, 'target'> {
  const time = (calls: Call[]) => median(calls.map(({ milliseconds }) => milliseconds))
  const rounds = Array.from({ length: ours.length / turnsPerRound }, (_, round) => {
    const turns = [round * turnsPerRound, (round + 1) * turnsPerRound] as const
    return time(baseline.slice(...turns)) / time(ours.slice(...turns))
  })
  return {
    name,
    ours: `${format(time(ours))} ms`,
    baseline: `${format(time(baseline))} ms (${baselineName})`,
    ratios: rounds,
    notes:
      `the baseline's time by ours; ${format((ours[0]?.bytes ?? 0) / 1e6)} MB;` +
      ` longest hold of the event loop ${format(longestHold)} ms`,
  }
}

/** What to send to a target. */
export interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** One request until the last byte of its answer. @throws unless the answer is 2xx. */
export function timeRequest(target: Target, { body, ...sent }: Sent): Promise<Call> {
  const begin = performance.now()
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { ...sent.headers, ...json }
  return new Promise((resolve, reject) => {
    const asked = request({ ...target, ...sent, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => {
        const milliseconds = performance.now() - begin
        const status = answer.statusCode ?? 0
        if (status >= 200 && status < 300) resolve({ milliseconds, bytes })
        else reject(new Error(`${sent.method} ${sent.path} answered ${status}`))
      })
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

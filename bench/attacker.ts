import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './http-connection.ts'

/*
 * A process that plays a hostile client and runs one attack at a time. Each of its connections
 * repeats the same request, whatever the answer is, until the time is over. Then all connections
 * are cut.
 */

export interface Attack {
  target: Target
  connections: number
  seconds: number
  /** Sent in turns. */
  requests: AttackRequest[]
  /** Reads the head of an answer and then stops, like a client on a stalled line. */
  readsNothing?: boolean
  /** Reads a kilobyte of an answer now and then. */
  readsSlowly?: boolean
  /** Announces a body of a megabyte, and sends a byte of it now and then. */
  trickles?: boolean
  /** Sends an Idempotency-Key of its own with each request. */
  hasOwnKeys?: boolean
  /** Milliseconds between an answer and the next request of a connection. */
  pause?: number
}

export interface AttackRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** How often each status was answered; `lost` counts connections that ended without an answer. */
export type AttackResult = Record<string, number>

const pauseAfterLoss = 20

async function runAttack(attack: Attack): Promise<AttackResult> {
  const counts: AttackResult = {}
  const agent = new Agent({ keepAlive: true, maxSockets: attack.connections })
  const over = new AbortController()
  const repeat = async (first: number) => {
    for (let turn = first; !over.signal.aborted; turn += 1) {
      const sent = attack.requests[turn % attack.requests.length]
      if (!sent) return
      const status = await send(attack, sent, agent, over.signal)
      counts[status] = (counts[status] ?? 0) + 1
      const pause = attack.pause ?? (status === 'lost' ? pauseAfterLoss : 0)
      if (pause > 0) await sleep(pause, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const all = Promise.all(Array.from({ length: attack.connections }, (_, first) => repeat(first)))
  await sleep(attack.seconds * 1000)
  over.abort()
  agent.destroy()
  await all
  return counts
}

function send(
  { target, readsNothing, readsSlowly, trickles, hasOwnKeys }: Attack,
  { method, path, headers, body }: AttackRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve) => {
    const lost = () => resolve('lost')
    const length = { 'content-length': String(trickles ? 1e6 : Buffer.byteLength(body ?? '')) }
    const key = hasOwnKeys ? { 'idempotency-key': randomUUID() } : {}
    const all = { ...headers, ...length, ...key }
    const sent = { ...target, method, path, headers: all, agent, signal }
    const asked = request(sent, (answer) => {
      answer.on('error', lost)
      answer.on('close', () => resolve(String(answer.statusCode)))
      if (readsSlowly) repeat(() => answer.read(1000), answer)
      else if (!readsNothing) answer.resume()
    })
    asked.on('error', lost)
    if (trickles) repeat(() => asked.write(' '), asked)
    else asked.end(body)
  })
}

/** Ten times a second until the stream is closed. */
function repeat(act: () => void, stream: Readable | Writable): void {
  const timer = setInterval(act, 100)
  stream.once('close', () => clearInterval(timer))
}

process.on('message', async (message) => {
  if (typeof message !== 'object' || message === null || !('attack' in message)) return
  process.send?.(await runAttack(message.attack as Attack))
})
process.channel?.ref()

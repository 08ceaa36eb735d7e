import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Callback } from './fleet.ts'
import type { Target } from './http-connection.ts'
import { chirpStackUplink, messageWriter } from './uplink-message.ts'

/** Milliseconds until a sender gives up, as networks do. */
const patience = 10_000

interface Acknowledgement {
  key: string
  /** When it was sent and when it was acknowledged, on the clock of `performance.now()`. */
  since: number
  at: number
}

/** Uplinks at a steady rate, each sent once, however late the answers are. */
export interface FailoverLoad {
  acknowledged: Acknowledgement[]
  /** How often each answer other than 2xx came. */
  refused: Map<number, number>
  /** Without any answer. */
  unanswered: number
  /** The longest that an acknowledged uplink waited, in milliseconds. */
  longest: number
  /** Sends no more, and waits for the answers. */
  end(): Promise<void>
}

export function startUplinks(
  target: Target,
  { path, headers }: Callback,
  { rate, devices }: { rate: number; devices: number },
): FailoverLoad {
  const agent = new Agent({ keepAlive: true })
  const options = { ...target, path, headers, agent, method: 'POST', timeout: patience }
  /** The status; undefined without an answer. */
  const post = (body: string) =>
    new Promise<number | undefined>((resolve) => {
      const sending = request(options, (answer) => {
        answer.resume().on('close', () => resolve(answer.statusCode))
      })
      sending.on('timeout', () => sending.destroy())
      sending.on('error', () => resolve(undefined))
      sending.end(body)
    })
  const sample = Buffer.from(chirpStackUplink.text)
  const write = messageWriter(sample, { devices })
  const [first] = chirpStackUplink.places
  const begin = sample.indexOf(first?.sample ?? '')
  const open = new Set<Promise<void>>()
  const load: FailoverLoad = {
    ...{ acknowledged: [], refused: new Map(), unanswered: 0, longest: 0 },
    async end() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
    },
  }
  async function send(): Promise<void> {
    write(sample)
    const key = randomUUID()
    sample.write(key, begin, 'latin1')
    const since = performance.now()
    const status = await post(`${sample}`)
    if (status === undefined) load.unanswered += 1
    else if (status < 300) {
      const at = performance.now()
      load.acknowledged.push({ key, since, at })
      load.longest = Math.max(load.longest, at - since)
    } else load.refused.set(status, (load.refused.get(status) ?? 0) + 1)
  }
  let sent = 0
  const started = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - started) / 1000) * rate; sent < due; sent += 1) {
      const sending = send()
      open.add(sending)
      void sending.finally(() => open.delete(sending))
    }
  }, 5)
  return load
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import { timeAt } from './clock.ts'
import type { Fleet } from './fleet.ts'
import { type Part, startPart } from './part.ts'
import { passHop, type World } from './world.ts'

/** People who look at dashboards and lists, and export, all the time. */
export interface Viewers extends Part {
  /** What was answered 2xx, by what was asked for. */
  answers: Record<string, number>
  /** All other answers. */
  failures: string[]
  /** Rows of all exports. */
  exported(): number
}

const pauses = { dashboard: 5_000, list: 1_500, export: 4_000 }
const screens = 3
/** Of the time of the run: what an export goes back. */
const exportMilliseconds = 2 * 60 * 60 * 1000

export function startViewers(world: World, fleet: Fleet, client: Client): Viewers {
  const answers: Record<string, number> = {}
  const failures: string[] = []
  let rows = 0
  const look = async (what: string, method: string, path: string, body?: object) => {
    const { status, text } = await client.ask(method, path, body)
    if (status === 200) answers[what] = (answers[what] ?? 0) + 1
    else failures.push(`${what}: ${status} ${text.slice(0, 200)}`)
    return text
  }
  const again = async (isOver: () => boolean, pause: number, ask: () => Promise<unknown>) => {
    while (!isOver()) {
      await passHop(world)
      await ask()
      await sleep(pause)
    }
  }
  const exportLatest = async () => {
    const since = new Date(timeAt(world.clock, Date.now()) - exportMilliseconds).toISOString()
    const text = await look('export', 'GET', `/v1/fleet/uplinks/export?since=${since}`)
    rows += text.split('\n').length - 2
  }
  const lists = ['/v1/fleet/devices', '/v1/fleet/uplinks', '/v1/alerts', '/v1/fleet/summary']
  let turn = 0
  const part = startPart((isOver) =>
    Promise.all([
      ...Array.from({ length: screens }, () =>
        again(isOver, pauses.dashboard, () => look('dashboard', 'POST', fleet.shared, {})),
      ),
      again(isOver, pauses.list, () => look('list', 'GET', lists[turn++ % lists.length] ?? '')),
      again(isOver, pauses.export, exportLatest),
    ]),
  )
  return { ...part, answers, failures, exported: () => rows }
}

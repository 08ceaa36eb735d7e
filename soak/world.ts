import { closeSync, openSync, readFileSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChirpStackSimulator,
  startSimulator,
} from '../server/simulators/chirpstack/simulator.ts'
import { systemClock } from '../server/simulators/clock.ts'
import type { Node } from '../server/test/postgres-node.ts'
import { makeInstallation, type ServerProcess } from '../server/test/process.ts'
import { startSingle } from '../server/test/replicated.ts'
import { runOnServer } from '../server/test/server.ts'
import { admin } from '../server/test/several-processes.ts'
import { until } from '../server/test/until.ts'
import { startReceiver, type WebhookReceiver } from '../server/test/webhook-receiver.ts'
import { type ClockPlan, clockSql, dayMilliseconds, planClock, timeAt, untilHop } from './clock.ts'
import { type Front, startFront } from './front.ts'
import type { Ledger } from './ledger.ts'
import type { SoakPlan } from './plan.ts'

/** What ends with the run. */
export interface Scope {
  after(end: () => Promise<void>): void
}

export type Tell = (text: string) => void

export interface World {
  plan: SoakPlan
  tell: Tell
  ledger: Ledger
  clock: ClockPlan
  database: Node
  network: ChirpStackSimulator
  /** Of uplinks, and of all other events. */
  receivers: readonly [WebhookReceiver, WebhookReceiver]
  service: Service
  /** A reverse proxy with TLS, for people. */
  front: Front | undefined
}

/** The service, whose time is that of the run. */
export interface Service {
  address: string
  /** False while it is being restarted. */
  isUp: boolean
  logFile: string
  /** How many milliseconds the last start took. */
  startedIn(): number
  /** The first process, and those that serve. */
  pids(): number[]
  start(keys: string): Promise<void>
  /** @throws Error if it does not end by itself, with 0. */
  stop(): Promise<void>
  /** Rejects with the end of its log when it ends without a stop, and settles at no other time. */
  failed: Promise<never>
}

/** Processes that serve the port; the first one does the background work. */
const servers = 2
const databaseName = 'lora'
/** For a start on a machine that does other work, in milliseconds. */
const startLimit = 240_000
/** So long is everything made ready, before the first hop. */
const preparation = dayMilliseconds
export const firstKey = 'an invented key of more than 32 characters'

/** Starts everything on loopback, in temporary directories. */
export async function startWorld(
  scope: Scope,
  { plan, ledger, tell }: Pick<World, 'plan' | 'ledger' | 'tell'>,
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'lora-soak-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const database = await startSingle(scope, folder, databaseSettings)
  const clock = planClock(plan.days, plan.minutes, Date.now() + preparation)
  await setClock(database, clock)
  const receivers = [await startReceiver(scope), await startReceiver(scope)] as const
  const world: Pick<World, 'clock'> = { clock }
  const network = await startSimulator({
    ...{ seed: plan.seed, retries: 5 },
    clock: { ...systemClock, now: () => timeAt(world.clock, Date.now()) },
  })
  network.faults.downlinkDelayMs = 0
  scope.after(() => network.close())
  const logFile = join(folder, 'service.log')
  const service = await makeService(scope, { database, logFile, clock: () => world.clock })
  await service.start(firstKey)
  tell('the service runs')
  const front = await startFront(scope, { folder, toPort: new URL(service.address).port, tell })
  return Object.assign(world, { plan, tell, ledger, database, network, receivers, service, front })
}

/** A log of changes that is small next to the data, and a table that is vacuumed soon. */
const databaseSettings = {
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  autovacuum_naptime: '10s',
}

async function setClock(database: Node, clock: ClockPlan): Promise<void> {
  await runOnServer(database.url, clockSql(clock, databaseName))
}

/** Beside twice the time of the first start, in milliseconds. */
const runUp = 3_000

/** Restarts the service, with the clock that hops. The first day begins when it has certainly started. */
export async function beginDays(world: World): Promise<void> {
  const { plan, database, service } = world
  await service.stop()
  world.clock = planClock(plan.days, plan.minutes, Date.now() + service.startedIn() * 2 + runUp)
  await setClock(database, world.clock)
  await service.start(firstKey)
  await sleep(Math.max(0, world.clock.begin - Date.now()))
}

/** The time of the run, in days since its begin. */
export function dayNow({ clock }: Pick<World, 'clock'>): number {
  const start = clock.begin - clock.behind
  return (timeAt(clock, Date.now()) - start) / dayMilliseconds
}

/** Nothing begins so shortly before a hop, so that little is under way at it. */
const calm = 200

/** Waits for the hop that is near, if any. */
export async function passHop({ clock }: Pick<World, 'clock'>): Promise<void> {
  const left = untilHop(clock, Date.now())
  if (left !== undefined && left < calm) await sleep(left + calm / 2)
}

interface Parts {
  database: Node
  logFile: string
  clock(): ClockPlan
}

async function makeService(scope: Scope, { database, logFile, clock }: Parts): Promise<Service> {
  const installation = await makeInstallation(scope)
  /** Undefined from the begin of a stop on. */
  let server: ServerProcess | undefined
  let startedIn = 0
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Who waits for it comes later.
  failed.catch(() => undefined)
  const service: Service = {
    ...{ address: installation.address, isUp: false, logFile, failed },
    startedIn: () => startedIn,
    pids: () => (server ? [server.pid, ...readChildren(server.pid)] : []),
    async start(keys) {
      const began = performance.now()
      // For appending, so that a file that is cut goes on at its begin.
      const output = openSync(logFile, 'a')
      const settings = settingsOf(database, keys, clock(), installation.address)
      const started = installation.start(settings, undefined, { output })
      closeSync(output)
      server = started
      const ended = started.ended.then(({ code }) => {
        throw new Error(describeEnd(logFile, code))
      })
      ended.catch((error) => {
        if (server === started) fail(error)
      })
      await Promise.race([
        ended,
        until(() => isReady(installation.address), 'it is ready', startLimit),
      ])
      startedIn = performance.now() - began
      service.isUp = true
    },
    async stop() {
      service.isUp = false
      const stopped = server
      server = undefined
      const end = await stopped?.end('SIGTERM')
      if (end && end.code !== 0) throw new Error(describeEnd(logFile, end.code))
    },
  }
  return service
}

/** Characters of the log that show why the service has ended. */
const shownOfLog = 4_000

function describeEnd(logFile: string, code: number | null): string {
  return `The service ended with ${code}:\n${readFileSync(logFile, 'utf8').slice(-shownOfLog)}`
}

/** Of the service, and of its commands. */
export function settingsOf(
  database: Node,
  keys: string,
  clock: ClockPlan,
  address: string,
): Record<string, string> {
  const program = new URL('service-clock.ts', import.meta.url)
  return {
    ...{ DATABASE_URL: database.url, PUBLIC_URL: address, SECRET_KEY: keys },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
    ...{ API_RATE_LIMIT: '0', WORKERS: String(servers) },
    NODE_OPTIONS: `--import ${program.href}`,
    SOAK_CLOCK: JSON.stringify(clock),
  }
}

function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/readyz`)
    .then(async (answer) => {
      await answer.text()
      return answer.ok
    })
    .catch(() => false)
}

function readChildren(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** As logrotate does it with `copytruncate`: the service keeps its file open. */
export async function rotateLog({ logFile }: Service): Promise<void> {
  await appendFile(rotatedLog(logFile), await readFile(logFile))
  await truncate(logFile)
}

/** Where all of the log is that was rotated. */
export function rotatedLog(logFile: string): string {
  return `${logFile}.old`
}

import type { TestContext } from 'node:test'
import { startSimulator } from '../simulators/chirpstack/simulator.ts'
import { startBalancer } from './balancer.ts'
import { startBroker } from './broker.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './port.ts'
import { makeInstallation, type ServerProcess } from './process.ts'
import { makeTenants } from './traffic.ts'

/** The `main.ts` of each process; this release's if there is none. */
type Mains = readonly (string | undefined)[]

export const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
export const rateLimit = 1_000_000

/**
 * So many processes on one database behind a balancer, with a simulated ChirpStack and a broker. The
 * first is started: it follows the broker, since it is the only one when the account names it.
 */
export async function prepareProcesses(
  t: TestContext,
  count: number,
  { mains = [], isEmpty = false }: { mains?: Mains; isEmpty?: boolean } = {},
) {
  const database = await createTestDatabase({ isEmpty })
  t.after(() => database.drop())
  const broker = await startBroker(t)
  const simulator = await startSimulator()
  t.after(() => simulator.close())
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const access = { urls: Array(count).fill(database.url), publicUrl: address }
  const processes = await makeProcesses(t, access, mains)
  const ports = processes.map((each) => each.port)
  await startBalancer(t, port, ports)
  await processes[0]?.start()
  const account = { ...simulator.account, mqtt_url: broker.source.url }
  const tenants = await makeTenants(address, admin, account)
  return { database, broker, simulator, address, processes, tenants }
}

export interface Process {
  port: number
  address: string
  isAlive: boolean
  /** While it runs. */
  pid(): number | undefined
  start(): Promise<void>
  kill(): Promise<void>
  /** As a supervisor does it; returns how it ended. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null } | undefined>
  /** What it has written to both outputs since its first start. */
  output(): string
}

interface Access {
  /** The way of each process to the database. */
  urls: readonly string[]
  publicUrl: string
  /** Of each process, beside what all have. */
  settings?: readonly Record<string, string>[]
}

/** Whole services, each with a server and background work, on one database. */
export function makeProcesses(
  t: Pick<TestContext, 'after'>,
  { urls, publicUrl, settings: own = [] }: Access,
  mains: Mains = [],
): Promise<Process[]> {
  const make = async (url: string, index: number): Promise<Process> => {
    const main = mains[index]
    const installation = await makeInstallation(t)
    let server: ServerProcess | undefined
    const outputs: (() => string)[] = []
    const { port, address } = installation
    const each: Process = {
      port,
      address,
      isAlive: false,
      pid: () => (each.isAlive ? server?.pid : undefined),
      async start() {
        const settings = {
          DATABASE_URL: url,
          PUBLIC_URL: publicUrl,
          SECRET_KEY: 'an invented key of more than 32 characters',
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
          API_RATE_LIMIT: String(rateLimit),
          ...own[index],
        }
        server = installation.start(settings, main)
        outputs.push(server.output, server.errors)
        await server.waitFor('"msg":"serving"')
        each.isAlive = true
      },
      async kill() {
        each.isAlive = false
        await server?.end('SIGKILL')
      },
      async stop() {
        each.isAlive = false
        return server?.end('SIGTERM')
      },
      output: () => outputs.map((read) => read()).join(''),
    }
    return each
  }
  return Promise.all(urls.map(make))
}

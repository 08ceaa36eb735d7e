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

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
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
  const access = { url: database.url, publicUrl: address }
  const processes = await makeProcesses(t, count, access, mains)
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
  start(): Promise<void>
  kill(): Promise<void>
  /** As a supervisor does it; returns how it ended. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null } | undefined>
  output(): string
}

/** Whole services, each with a server and background work, on one database. */
function makeProcesses(
  t: TestContext,
  count: number,
  { url, publicUrl }: { url: string; publicUrl: string },
  mains: Mains,
): Promise<Process[]> {
  const make = async (main: string | undefined): Promise<Process> => {
    const installation = await makeInstallation(t)
    let server: ServerProcess | undefined
    const { port, address } = installation
    const each: Process = {
      port,
      address,
      isAlive: false,
      async start() {
        const settings = {
          DATABASE_URL: url,
          PUBLIC_URL: publicUrl,
          SECRET_KEY: 'an invented key of more than 32 characters',
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
          API_RATE_LIMIT: String(rateLimit),
        }
        server = installation.start(settings, main)
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
      output: () => server?.output() ?? '',
    }
    return each
  }
  return Promise.all(Array.from({ length: count }, (_, index) => make(mains[index])))
}

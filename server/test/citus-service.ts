/** For tests: the service in its own process, on a Citus cluster whose machines can die. */
import type { TestContext } from 'node:test'
import { type Nodes, startNodes } from '../citus/nodes.ts'
import { connect } from '../src/db/connect.ts'
import { distribute } from '../src/db/distribution/distribute.ts'
import { migrate, migrationsDirectory } from '../src/db/migrate.ts'
import { joinNodes } from './citus.ts'
import { findFreePort } from './port.ts'
import { makeInstallation, type ServerProcess } from './process.ts'
import { makeTenants, type Tenant } from './traffic.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }

export interface CitusService {
  nodes: Nodes
  server: ServerProcess
  /** One on each worker. */
  tenants: Tenant[]
}

/** Starts a coordinator and two workers, with the programs in `bin`, and the service on them. */
export async function startCitusService(
  t: Pick<TestContext, 'after'>,
  bin: string,
): Promise<CitusService> {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  // Without the usual one, the log of a transaction is written after its answer.
  const nodes = await startNodes(bin, { ports, path: process.env.PATH ?? '' })
  t.after(nodes.stop)
  await spreadOver(nodes)
  const { url } = nodes.coordinator
  const { start, address } = await makeInstallation(t)
  const server = start({
    ...{ DATABASE_URL: url, SECRET_KEY: 'an invented key of more than 32 characters' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' },
  })
  await server.waitFor('"msg":"serving"')
  return { nodes, server, tenants: await makeTenants(address, admin) }
}

/** Makes the machines one cluster, with an empty database of the service. */
export async function spreadOver({ coordinator, workers }: Nodes): Promise<void> {
  await joinNodes([coordinator, ...workers].map((node) => node.url))
  await migrate(coordinator.url, migrationsDirectory)
  const patient = connect(coordinator.url, { max: 1, statementTimeout: 120_000 })
  await patient.transaction(distribute).finally(patient.close)
}

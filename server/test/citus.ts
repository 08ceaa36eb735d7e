/**
 * Test databases on a Citus cluster: DATABASE_URL names its coordinator, and CITUS_WORKERS the other
 * nodes, separated by commas (`npm run citus -- test`). A database of the cluster is one database of
 * the same name on each node, so a clone is one on each.
 */
import { connect } from '../src/db/connect.ts'
import { distribute } from '../src/db/distribution/distribute.ts'
import { databaseUrl, runOnServer } from './server.ts'

/** The coordinator first. */
export function nodesOf(server: string): string[] {
  const workers = process.env.CITUS_WORKERS
  return workers ? [server, ...workers.split(',')] : [server]
}

export function isCluster(): boolean {
  return Boolean(process.env.CITUS_WORKERS)
}

/**
 * SQL: a time so many seconds after another one, both of them SQL. Citus updates no row by a function
 * of a column that depends on the time zone, as the usual sum of a time and an interval does.
 */
export function secondsAfter(time: string, seconds: string): string {
  return `to_timestamp(extract(epoch from ${time} - to_timestamp(0)) + ${seconds})`
}

/** The addresses of a database, the coordinator first. */
export function databasesOf(server: string, name: string): string[] {
  return nodesOf(server).map((node) => databaseUrl(node, name))
}

/** Makes empty databases know each other. The first one is the coordinator's. */
export async function joinNodes([coordinator = '', ...workers]: readonly string[]): Promise<void> {
  for (const node of [coordinator, ...workers]) await runOnServer(node, 'create extension citus')
  const address = (node: string) => {
    const { hostname, port } = new URL(node)
    return `'${hostname}', ${port}`
  }
  await runOnServer(coordinator, `select citus_set_coordinator_host(${address(coordinator)})`)
  for (const worker of workers) {
    await runOnServer(coordinator, `select citus_add_node(${address(worker)})`)
  }
}

export async function distributeTemplate(server: string, name: string): Promise<void> {
  const db = connect(databaseUrl(server, name), { statementTimeout: 120_000 })
  try {
    await db.transaction(distribute)
  } finally {
    await db.close()
  }
  // Citus keeps a process in each database, and one that is in use can't be cloned.
  for (const node of nodesOf(server)) {
    await runOnServer(node, `alter database ${name} with allow_connections false`)
    await runOnServer(
      node,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
  }
}

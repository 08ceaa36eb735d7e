import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { careless, startNodes } from '../server/citus/nodes.ts'
import { spreadOver } from '../server/test/citus-service.ts'
import { findFreePort } from '../server/test/port.ts'
import type { Node } from '../server/test/postgres-node.ts'
import { startSingle } from '../server/test/replicated.ts'
import { mountSmallDisk, type SmallDisk } from '../server/test/small-disk.ts'
import type { MachineClock } from './machine-clock.ts'
import type { Scope } from './world.ts'

export interface Servers {
  /** The coordinator, on Citus. */
  database: Node
  /** The other machines of Citus; none on one PostgreSQL. */
  machines: Node[]
  /** Of all of them. Undefined where none can be mounted. */
  disk: SmallDisk | undefined
}

/** Of each machine. */
const diskBytes = 500 * 1024 ** 2
const littleWal = { max_wal_size: '64MB', min_wal_size: '32MB' }
/** Twice the connections of three processes, as docs/scaling.md asks for. */
const ofOne = { ...littleWal, max_connections: '205' }

/** Starts one PostgreSQL; or, with the programs in `bin`, a coordinator of Citus and two workers. */
export async function startServers(
  scope: Scope,
  clock: MachineClock | undefined,
  bin: string | undefined,
): Promise<Servers> {
  const disk = await mountSmallDisk(scope, bin ? 3 * diskBytes : diskBytes)
  const folder = disk?.path ?? (await mkdtemp(join(tmpdir(), 'lora-faults-')))
  if (!disk) scope.after(() => rm(folder, { recursive: true, force: true }))
  if (!bin) {
    const database = await startSingle(scope, folder, ofOne, clock?.environment)
    return { database, machines: [], disk }
  }
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  const nodes = await startNodes(bin, {
    ...{ ports, folder, path: process.env.PATH ?? '', environment: clock?.environment },
    settings: { ...careless, ...littleWal },
  })
  scope.after(nodes.stop)
  await spreadOver(nodes)
  return { database: nodes.coordinator, machines: nodes.workers, disk }
}

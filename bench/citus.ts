import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../server/src/db/connect.ts'
import { distribute } from '../server/src/db/distribution/distribute.ts'
import { migrate, migrationsDirectory } from '../server/src/db/migrate.ts'
import { databasesOf, joinNodes, nodesOf } from '../server/test/citus.ts'
import { databaseUrl, runOnServer } from '../server/test/server.ts'
import { type Comparison, ratesFigure, type Side, takeTurns } from './compare.ts'
import { type DatabaseClock, openDatabaseClock } from './database-clock.ts'
import { type Figure, renderResult } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load } from './generator.ts'
import { describeMachine } from './machine.ts'
import { connectMany } from './measure-senders.ts'
import { startProcess } from './process.ts'
import { startService } from './service.ts'

/*
 * `npm run citus -- bench`: ingest of one organization and of many, and a page, on the cluster, compared
 * with the same service on a database that only the coordinator holds, in turns.
 */

const devices = 1000
/** Of ten devices each. */
const organizations = 1000
const [connections, readers] = [256, 64]
const seconds = 4
const rounds = 3

const server = process.env.DATABASE_URL ?? ''
const progress = (text: string) => void process.stderr.write(`${text}\n`)

async function makeDatabases(): Promise<{ single: string; spread: string }> {
  await runOnServer(server, 'create database bench_single')
  for (const node of nodesOf(server)) await runOnServer(node, 'create database bench_spread')
  await joinNodes(databasesOf(server, 'bench_spread'))
  const urls = {
    single: databaseUrl(server, 'bench_single'),
    spread: databaseUrl(server, 'bench_spread'),
  }
  for (const url of Object.values(urls)) await migrate(url, migrationsDirectory)
  const db = connect(urls.spread, { statementTimeout: 120_000 })
  await db.transaction(distribute)
  await db.close()
  return urls
}

/** The CPU of all nodes: the processes of the single database are those of the coordinator. */
async function openClock(databases: readonly Database[]): Promise<DatabaseClock | undefined> {
  const clocks = await Promise.all(databases.map(openDatabaseClock))
  if (clocks.includes(undefined)) return undefined
  return () => clocks.reduce((sum, clock) => sum + (clock?.() ?? 0), 0)
}

async function main(): Promise<boolean> {
  const load = loadavg()[0] ?? 0
  const urls = await makeDatabases()
  const dataDir = await mkdtemp(join(tmpdir(), 'lora-citus-bench-'))
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }))
  const generator = startProcess(new URL('./generator.ts', import.meta.url))
  cleanUp.defer(() => generator.stop())
  const open = (url: string) => {
    const db = connect(url, { max: 2 })
    cleanUp.defer(() => db.close())
    return db
  }
  const nodes = nodesOf(server).map((node) => open(databaseUrl(node, 'bench_spread')))
  const databaseClock = await openClock(nodes)
  const makeSide = async (name: string, url: string) => {
    const service = await startService({ databaseUrl: url, dataDir })
    cleanUp.defer(() => service.stop())
    const db = open(url)
    const callback = await connectNetwork(service)
    await registerDevices(db, devices)
    const side = (asked: Omit<Load, 'target' | 'seconds'>): Side => ({
      ...{ name, process: service, databaseClock },
      load: { ...asked, seconds, target: service.target },
    })
    progress(`${name}: making ${organizations} organizations`)
    const senders = await connectMany({ db, service }, { organizations, devices: 10 })
    const page = { method: 'GET', path: '/v1/devices/all/uplink?page=1', headers: service.headers }
    return {
      db,
      ingest: side({ method: 'POST', ...callback, connections, uplinksOf: devices }),
      many: side({ method: 'POST', ...senders, connections }),
      page: side({ ...page, connections: readers }),
    }
  }
  const baseline = await makeSide('one PostgreSQL', urls.single)
  const ours = await makeSide('Citus', urls.spread)
  const figures: Figure[] = []
  const compare = async (name: string, what: 'ingest' | 'many' | 'page'): Promise<Comparison> => {
    const sides = { baseline: baseline[what], ours: ours[what] }
    const comparison = await takeTurns(generator, sides, rounds, progress)
    figures.push(ratesFigure(name, 'one PostgreSQL', comparison))
    return comparison
  }
  const one = await compare(`durable ingest, ${connections} connections`, 'ingest')
  const many = await compare(`the same of ${organizations} organizations`, 'many')
  const acknowledged = one.acknowledged + many.acknowledged
  await compare(`list of all uplinks, page of ten, ${readers} connections`, 'page')
  const [stored] = await ours.db.query<{ count: number }>('select count(*) from uplinks')
  const proof = {
    claim: 'every acknowledged uplink is stored once on Citus',
    isTrue: stored?.count === acknowledged,
    details: `${stored?.count} of ${acknowledged}`,
  }
  const about = `a coordinator and ${nodes.length - 1} workers on the same machine; ${seconds} s a side, ${rounds} rounds`
  const machine = await describeMachine(ours.db, load, about)
  process.stdout.write(`\n${machine}\n\n${renderResult({ figures, proofs: [proof] })}\n`)
  return proof.isTrue
}

if (!(await main())) process.exitCode = 1

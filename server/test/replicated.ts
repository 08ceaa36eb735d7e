/**
 * For tests: a primary and a standby that follows it by streaming replication, on loopback; or one
 * PostgreSQL alone, which can be killed.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { choosePlace, type Place } from '../src/db/embedded/place.ts'
import { mustRun, programEnvironment } from '../src/db/embedded/run-program.ts'
import { findFreePort } from './port.ts'
import { makeNode, type Node } from './postgres-node.ts'
import { until } from './until.ts'

export interface Replicated {
  primary: Node
  standby: Node
  /** Both, in the form of libpq. */
  url: string
}

const database = 'lora'

/** One PostgreSQL with its data in a folder, which the caller removes. */
export async function startSingle(
  t: Pick<TestContext, 'after'>,
  folder: string,
  settings: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<Node> {
  const place = await choosePlace(folder, folder)
  const data = join(place.area, 'data')
  await mustRun(place.programs.initdb, wordsOfInitdb(data), options(place))
  const node = await makeHere(place, data, settings, environment)
  t.after(node.kill)
  await node.start()
  await node.run(`create database ${database}`)
  return node
}

function wordsOfInitdb(data: string): string[] {
  return ['-D', data, '-A', 'trust', '-U', 'postgres', '--locale=C', '-E', 'UTF8', '-N']
}

interface ReplicationOptions {
  /** The primary confirms a commit once the standby has it on disk. */
  isSynchronous: boolean
  /** Off by default. */
  fsync?: 'on' | 'off'
  /** Where the data directories are made. */
  scratch?: string
}

/** `t` ends both at the latest. */
export async function startReplicated(
  t: { after(end: () => Promise<void>): unknown },
  { isSynchronous, fsync = 'off', scratch = tmpdir() }: ReplicationOptions,
): Promise<Replicated> {
  const folder = await mkdtemp(join(scratch, 'lora-fleet-replicated-'))
  const nodes: Node[] = []
  t.after(async () => {
    for (const node of nodes) await node.kill()
    await rm(folder, { recursive: true, force: true })
  })
  const place = await choosePlace(folder, folder)
  const data = join(place.area, 'first')
  const copy = join(place.area, 'second')
  await mustRun(place.programs.initdb, wordsOfInitdb(data), options(place))
  // A cluster that has never run is a base backup of itself.
  await cp(data, copy, { recursive: true })
  await writeFile(join(copy, 'standby.signal'), '')
  if (place.account) await mustRun('chown', ['-R', String(place.account.uid), copy])
  const primary = await makeHere(place, data, {
    fsync,
    ...(isSynchronous && { synchronous_standby_names: '*' }),
  })
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`
  const standby = await makeHere(place, copy, { fsync, primary_conninfo: source })
  nodes.push(primary, standby)
  await Promise.all([primary.start(), standby.start()])
  await until(async () => (await primary.run('select from pg_stat_replication')).length === 1)
  await primary.run(`create database ${database}`)
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`
  return { primary, standby, url }
}

async function makeHere(
  { programs, account }: Place,
  data: string,
  settings: Record<string, string>,
  own: Record<string, string> = {},
): Promise<Node> {
  const port = await findFreePort()
  const environment = { ...programEnvironment(), ...own }
  return makeNode({
    program: programs.postgres,
    account,
    data,
    port,
    settings,
    database,
    environment,
  })
}

function options({ account }: Place) {
  return account ? { account } : {}
}

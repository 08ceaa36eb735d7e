/**
 * For tests: a primary and a standby that follows it by streaming replication, on loopback; or one
 * PostgreSQL alone, which can be killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { choosePlace, type Place } from '../src/db/embedded/place.ts'
import { mustRun, programEnvironment } from '../src/db/embedded/run-program.ts'
import { findFreePort } from './port.ts'
import { runOnServer } from './server.ts'
import { until } from './until.ts'

/** One PostgreSQL. */
export interface Node {
  port: number
  /** The address of a database there. */
  url: string
  /** Does nothing while it runs. */
  start(): Promise<void>
  /** Ends all its processes at once, as the loss of its machine does. */
  kill(): Promise<void>
  /** Stops all its processes: it answers nothing, and refuses nothing, as a machine without its network. */
  freeze(): Promise<void>
  run<Row extends object>(text: string): Promise<Row[]>
}

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
): Promise<Node> {
  const place = await choosePlace(folder, folder)
  const data = join(place.area, 'data')
  await mustRun(place.programs.initdb, wordsOfInitdb(data), options(place))
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const node = await makeNode(place, data, given)
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
  const flush = ['-c', `fsync=${fsync}`]
  const primary = await makeNode(place, data, [
    ...flush,
    ...(isSynchronous ? ['-c', 'synchronous_standby_names=*'] : []),
  ])
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`
  const standby = await makeNode(place, copy, [...flush, '-c', `primary_conninfo=${source}`])
  nodes.push(primary, standby)
  await Promise.all([primary.start(), standby.start()])
  await until(async () => (await primary.run('select from pg_stat_replication')).length === 1)
  await primary.run(`create database ${database}`)
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`
  return { primary, standby, url }
}

function options({ account }: Place) {
  return account ? { account } : {}
}

async function makeNode(
  { programs, account }: Place,
  data: string,
  settings: readonly string[],
): Promise<Node> {
  const port = await findFreePort()
  const server = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  let frozen: number[] = []
  const node: Node = {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    async start() {
      if (isRunning(child)) return
      const words = [
        ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
        // A process that is killed loses nothing that it gave to the system.
        ...['-c', 'unix_socket_directories=', '-c', 'fsync=off', ...settings],
      ]
      child = spawn(programs.postgres, words, {
        ...account,
        cwd: '/',
        env: programEnvironment(),
        stdio: 'ignore',
      })
      await until(() => node.run('select').then(Boolean, () => false), 'PostgreSQL answers')
    },
    async kill() {
      if (!child || !isRunning(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      for (const pid of frozen) process.kill(pid, 'SIGKILL')
      frozen = []
      await ended
      // The others notice it, and end.
      await until(
        () =>
          node.run('select').then(
            () => false,
            () => true,
          ),
        'its processes have ended',
      )
    },
    async freeze() {
      const others = await node.run<{ pid: number }>(
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      )
      child?.kill('SIGSTOP')
      frozen = others.map(({ pid }) => pid)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    run: (text) => runOnServer(server, text),
  }
  return node
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { makeUp } from '../server/test/chirpstack-uplinks.ts'
import { postUplink } from './clients.ts'
import type { Episode } from './history.ts'
import { type Fault, type FaultKind, faultKinds, machineKinds, planFaults } from './plan.ts'
import type { Recorder } from './requests.ts'
import type { World } from './world.ts'

const run = promisify(execFile)

/** A fault that has begun. */
interface Injected {
  target: string
  /** Takes it back. */
  end(): Promise<unknown> | unknown
}

type Inject = (world: World, fault: Fault) => Promise<Injected | undefined>

/** Undefined where this machine cannot do it. */
const injections: Record<FaultKind, Inject> = {
  'kill a process': async ({ processes }, { target }) => {
    const [index, victim] = choose(processes, target)
    await victim.kill()
    return { target: `process ${index}`, end: () => victim.start() }
  },
  // Its first process replaces it.
  'kill a worker': async ({ processes }) => {
    for (const [index, each] of processes.entries()) {
      const [, worker] = await familyOf(each.pid())
      if (worker === undefined) continue
      signal([worker], 'SIGKILL')
      return { target: `of process ${index}`, end: () => undefined }
    }
    return undefined
  },
  'stop a process': async ({ processes }, { target }) => {
    const [index, victim] = choose(processes, target)
    const pids = await familyOf(victim.pid())
    signal(pids, 'SIGSTOP')
    return { target: `process ${index}`, end: () => signal(pids, 'SIGCONT') }
  },
  'kill the database': async ({ database }) => {
    await database.kill()
    return { target: 'PostgreSQL', end: database.start }
  },
  'kill all processes and the database': async (world) => {
    const { processes } = world
    await Promise.all([...serversOf(world), ...processes].map((each) => each.kill()))
    return {
      target: 'all',
      async end() {
        await restartServers(world)
        await Promise.all(processes.map((each) => each.start()))
      },
    }
  },
  'cut a process off the database': async ({ ways }, { target }) => {
    const [index, way] = choose(ways, target)
    way.silence()
    return { target: `process ${index}`, end: way.heal }
  },
  'cut all off the database': async ({ ways }) => {
    for (const way of ways) way.silence()
    return { target: 'all', end: () => ways.forEach((way) => void way.heal()) }
  },
  'slow way to the database': async ({ ways }, { target, milliseconds }) => {
    const [index, way] = choose(ways, target)
    const delay = 5 + Math.floor(milliseconds / 100)
    way.delay(delay)
    return { target: `process ${index}, ${delay} ms`, end: () => way.delay(0) }
  },
  'disk of the database is full': async (world) => {
    const { disk } = world
    if (!disk) return undefined
    await disk.fill()
    return {
      target: 'PostgreSQL',
      async end() {
        await disk.free()
        await restartServers(world)
      },
    }
  },
  'no connections left': async ({ database }) => {
    const clients = await takeConnections(database.url)
    return {
      target: `${clients.length} taken`,
      end: () => Promise.all(clients.map((client) => client.end().catch(() => undefined))),
    }
  },
  'no descriptors left': async ({ processes }, { target }) => {
    const [index, victim] = choose(processes, target)
    const pids = await familyOf(victim.pid())
    // Fewer than it has open: whatever it opens fails.
    const lift = () => limit(pids, '--nofile=4096:')
    if (await limit(pids, '--nofile=24:')) return { target: `process ${index}`, end: lift }
    await lift()
    return undefined
  },
  // Most die of it, and so do the workers that replace them.
  'no memory left for a process': async ({ processes }, { target }) => {
    const [index, victim] = choose(processes, target)
    // Whoever lives then may be about to die.
    const end = async () => {
      await victim.kill()
      await victim.start()
    }
    const [parent, ...children] = await familyOf(victim.pid())
    if (parent === undefined || !(await limit([parent], noMemory))) return undefined
    await limit(children, noMemory)
    return { target: `process ${index}`, end }
  },
  'no memory left for the database': async ({ database }) => {
    const server = await pidOf(database)
    const clients = await database.run<{ pid: number }>(clientsOfDatabase).catch(() => undefined)
    // It passes its limit on to new connections.
    if (!server || !clients || !(await limit([server], noMemory))) return undefined
    await limit(
      clients.map(({ pid }) => pid),
      noMemory,
    )
    return {
      target: `${clients.length} connections`,
      async end() {
        await limit(await familyOf(server), allMemory)
        await database.start()
      },
    }
  },
  'the clock jumps': async ({ clock }, { target }) => {
    if (!clock) return undefined
    const [, seconds] = choose(jumps, target)
    await clock.set(seconds)
    return { target: `by ${seconds} s, and back`, end: () => clock.set(0) }
  },
  'cut off a network': async ({ networks }, { target }) => {
    const [, { way, key, organization }] = choose(networks, target)
    way.silence()
    return { target: `${key} of organization ${organization}`, end: way.heal }
  },
  'slow way to a network': async ({ networks }, { target, milliseconds }) => {
    const [, { way, key, organization }] = choose(networks, target)
    way.delay(Math.floor(milliseconds / 10))
    return { target: `${key} of organization ${organization}`, end: () => way.delay(0) }
  },
  'network refuses': async ({ networks }, { target }) => {
    const [, { simulator, key, organization }] = choose(networks, target)
    simulator.refuse('the test refuses it')
    return {
      target: `${key} of organization ${organization}`,
      end: () => simulator.refuse(undefined),
    }
  },
  'network is away': async ({ networks }, { target }) => {
    const [, { simulator, key, organization }] = choose(networks, target)
    simulator.setAway(true)
    return { target: `${key} of organization ${organization}`, end: () => simulator.setAway(false) }
  },
  'cut off the broker': async ({ broker }) => {
    broker.way.silence()
    return { target: `of organization ${broker.organization}`, end: broker.way.heal }
  },
  'broker breaks connections': async ({ broker }) => {
    broker.cut()
    return { target: `of organization ${broker.organization}`, end: broker.cut }
  },
  'packets of a process are lost': async ({ packets, processes, ways }, { target }) => {
    const [index, { port }] = choose(processes, target)
    const end = await packets?.lose([port, ...portsOf(ways.slice(index, index + 1))])
    return end && { target: `process ${index}, its clients and the database`, end }
  },
  'packets of the database are lost': async ({ packets, ways }) => {
    const end = await packets?.lose(portsOf(ways))
    return end && { target: 'all', end }
  },
  'packets of what it calls are lost': async ({ packets, networks, broker }, { target }) => {
    const called = [...networks, { key: 'MQTT', way: broker.way }]
    const [, { key, way }] = choose(called, target)
    const end = await packets?.lose(portsOf([way]))
    return end && { target: key, end }
  },
  'kill a machine': async ({ machines }, { target }) => {
    const [index, machine] = choose(machines, target)
    await machine.kill()
    return { target: `worker ${index} of Citus`, end: machine.start }
  },
  'packets of a machine are lost': async ({ packets, machines }, { target }) => {
    const [index, { port }] = choose(machines, target)
    const end = await packets?.lose([port])
    return end && { target: `worker ${index} of Citus`, end }
  },
  'receiver of webhooks is away': async ({ members }, { target }) => {
    const [, { receiver, organizationId }] = choose(members, target)
    await receiver.goAway()
    return { target: `of organization ${organizationId}`, end: receiver.comeBack }
  },
}

function serversOf({ database, machines }: World) {
  return [database, ...machines]
}

/** Starts those that do not run. */
async function restartServers(world: World): Promise<void> {
  await Promise.all(serversOf(world).map((each) => each.start()))
}

function portsOf(ways: readonly { url: string }[]): number[] {
  return ways.map(({ url }) => Number(new URL(url).port))
}

function choose<Item>(items: readonly Item[], target: number): [number, Item] {
  const index = Math.floor(target * items.length)
  return [index, items[index] as Item]
}

/** A process and its children. */
async function familyOf(parent: number | undefined): Promise<number[]> {
  if (parent === undefined) return []
  const { stdout } = await run('pgrep', ['--parent', String(parent)]).catch(() => ({ stdout: '' }))
  return [parent, ...stdout.split('\n').filter(Boolean).map(Number)]
}

const clientsOfDatabase = `select pid from pg_stat_activity where backend_type = 'client backend'`

/** Undefined while it does not run. */
async function pidOf({ data }: World['database']): Promise<number | undefined> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(file, 10) || undefined
}

/** Less address space than any process has: whatever it asks for is refused. */
const noMemory = '--as=1:'
const allMemory = '--as=unlimited:'

/** Sets a limit (prlimit(1)) of these processes. False if one of them is gone, or it can't be set. */
async function limit(pids: readonly number[], option: string): Promise<boolean> {
  const limits = pids.map(async (pid) => {
    // Its user may do it; root may be without the right to limit others' processes.
    const { uid, gid } = await stat(`/proc/${pid}`)
    await run('prlimit', [`--pid=${pid}`, option], { uid, gid })
  })
  const results = await Promise.allSettled(limits)
  return results.every(({ status }) => status === 'fulfilled')
}

/** In seconds. */
const jumps = [-600, -20, 20, 60] as const

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, name)
}

async function takeConnections(url: string): Promise<pg.Client[]> {
  const clients: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    )
    if (!isTaken) return clients
    clients.push(client)
  }
}

/** After so many milliseconds the run goes on, recovered or not. */
const mostRecovery = 60_000
/** Between two rounds of probes, which do not wait for each other: a probe may take ten seconds. */
const probePause = 500

/**
 * Injects one fault after the other until `end`, in milliseconds of the run. After each it waits until
 * the service has recovered.
 */
export async function runNemesis(
  world: World,
  recorder: Recorder,
  options: { seed: number; end: number; tell(episode: Episode): void; leftOut: Set<FaultKind> },
): Promise<void> {
  await sleep(3_000)
  const kinds = world.machines.length > 0 ? [...faultKinds, ...machineKinds] : faultKinds
  for (const fault of planFaults(options.seed, kinds)) {
    if (recorder.now() + fault.milliseconds > options.end) return
    const begin = recorder.now()
    const injected = await injections[fault.kind](world, fault)
    if (!injected) {
      options.leftOut.add(fault.kind)
      continue
    }
    await sleep(fault.milliseconds)
    await injected.end()
    const end = recorder.now()
    const recovered = await waitForRecovery(world, recorder, end)
    const episode = { kind: fault.kind, target: injected.target, begin, end, recovered }
    recorder.episodes.push(episode)
    options.tell(episode)
    await sleep(fault.pause)
  }
}

/** Resolves, once all probes are over, with the end of the first round in which all succeeded. */
async function waitForRecovery(
  world: World,
  recorder: Recorder,
  end: number,
): Promise<number | undefined> {
  let recovered: number | undefined
  const round = async () => {
    const probes = world.processes.flatMap((_, process) =>
      world.members.map((member) => probe(recorder, member, process)),
    )
    const isWell = (await Promise.all(probes)).every(Boolean)
    if (isWell) recovered ??= recorder.now()
  }
  const rounds: Promise<void>[] = []
  while (recovered === undefined && recorder.now() < end + mostRecovery) {
    rounds.push(round())
    await sleep(probePause)
  }
  await Promise.all(rounds)
  return recovered
}

/** Whether a process stores an uplink and answers from the database. */
async function probe(
  recorder: Recorder,
  member: World['members'][number],
  process: number,
): Promise<boolean> {
  const name = `probe of organization ${member.organizationId}`
  const eui = member.euis[0] ?? ''
  const body = makeUp({ eui, hex: '110300', time: new Date().toISOString() })
  const [stored, { entry }] = await Promise.all([
    postUplink({ recorder, process }, { name, member }, eui, body),
    recorder.send({
      ...{ client: name, member, operation: 'look', subject: 'devices', process },
      path: '/v1/devices?itemsPerPage=1',
    }),
  ])
  return stored.outcome === 'done' && entry.outcome === 'done'
}

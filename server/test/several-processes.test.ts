import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Aedes, AuthenticateError } from 'aedes'
import { type ChirpStackSimulator, startSimulator } from '../simulators/chirpstack/simulator.ts'
import type { Database } from '../src/db/connect.ts'
import { startBalancer } from './balancer.ts'
import { startBroker } from './broker.ts'
import { makeUp } from './chirpstack-uplinks.ts'
import { createTestDatabase } from './database.ts'
import { bytesOf, periodOf } from './downlinks.ts'
import { registrationOf } from './fleet.ts'
import { openStream } from './live-stream.ts'
import { findFreePort } from './port.ts'
import { makeInstallation, type ServerProcess } from './process.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
import { call, makeTenants, startSenders, type Tenant } from './traffic.ts'
import { until } from './until.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const processCount = 4
const uplinksBetweenKills = 200
/** Time between a call for a downlink and its effect at the network. */
const holdMilliseconds = 500
const rateLimit = 1_000_000
/** Devices at the network, for downlinks. */
const commandedEuis = ['1', '2', '3', '4'].map((digit) => `00AA00000000D00${digit}`)
/** Devices with one downlink each, which is on its way when its process is killed. */
const strandedEuis = ['1', '2', '3'].map((digit) => `00AA00000000D10${digit}`)
/** The device whose uplinks come by the broker. */
const brokerEui = '00AA00000000D00F'

/** A killed process counts as dead after 5 s; the others look each second. */
const mostWithoutFollower = 20_000

test('four processes on one database lose and repeat nothing when they are killed in turn', {
  timeout: 300_000,
}, async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const broker = await startBroker(t)
  const doubles = countDoubleSessions(broker.broker)
  const simulator = await startSimulator()
  t.after(() => simulator.close())
  const port = await findFreePort()
  const processes = await makeProcesses(t, database.url, `http://127.0.0.1:${port}`)
  await startBalancer(
    t,
    port,
    processes.map((each) => each.port),
  )
  const address = `http://127.0.0.1:${port}`

  // The first follows the broker, since it is alone when the account names it.
  await processes[0]?.start()
  const account = { ...simulator.account, mqtt_url: broker.source.url }
  const tenants = await makeTenants(address, admin, account)
  const [first, second] = tenants
  assert.ok(first && second)
  await addDevices(address, first, simulator)
  await Promise.all(processes.slice(1).map((each) => each.start()))
  await checkCounts(processes, first)
  const last = processes.at(-1)
  assert.ok(last)
  const stream = await openStream({
    services: { publicUrl: last.address },
    owner: { token: first.headers.authorization?.slice('Bearer '.length) ?? '', organizationId: 1 },
  })
  t.after(stream.close)

  const traffic = startSenders(tenants)
  t.after(traffic.abandon)
  const downlinks = startDownlinks(address, first, simulator)
  t.after(downlinks.stop)
  const published = startPublishing(broker.publish, simulator.applicationId)
  t.after(published.stop)
  const comparisons = countCalls(simulator, '/api.DeviceService/List')
  await database.db.query(
    'update network_accounts set next_comparison_at = now() where organization_id = 1',
  )
  // Before the first kill: a comparison whose process dies is made a day later.
  await until(() => comparisons.count > 0, 'the account is compared')
  for (const [index, victim] of processes.slice(0, -1).entries()) {
    await traffic.receive(uplinksBetweenKills)
    await downlinks.acknowledge(5)
    await downlinks.strand(victim.address, strandedEuis[index] ?? '', database.db)
    await victim.kill()
    const killedAt = performance.now()
    await traffic.receive(uplinksBetweenKills)
    await until(() => broker.broker.connectedClients === 1, 'a follower')
    const silence = performance.now() - killedAt
    t.diagnostic(`the broker was followed again after ${Math.round(silence)} ms`)
    assert.ok(silence < mostWithoutFollower)
    if (victim === processes[0]) await victim.start()
  }
  await traffic.finish()
  await downlinks.stop()
  await published.stop()

  t.diagnostic(`${traffic.acknowledged.size} uplinks, ${traffic.refusals} refusals`)
  assert.deepEqual([...traffic.acknowledged].sort(), [...traffic.sent].sort())
  const isPublished = (key: string) => key.includes(brokerEui)
  await until(async () => {
    const { uplinks } = await readStored(database.db)
    return uplinks.filter(isPublished).length === published.keys.length
  }, 'all of the broker are stored')
  const { uplinks, quarantined } = await readStored(database.db)
  const stored = [...uplinks, ...quarantined].filter((key) => !isPublished(key))
  assert.deepEqual(stored.sort(), [...traffic.acknowledged].sort())
  assert.deepEqual(uplinks.filter(isPublished).sort(), published.keys.sort())
  for (const [what, wrong] of Object.entries(await countWrong(database.db))) {
    assert.equal(wrong, 0, what)
  }
  await downlinks.check()
  assert.equal(doubles.count, 0, 'no two processes follow the broker at once')
  assert.equal(comparisons.count, 1, 'the account is compared once')
  const told = uplinks.filter((key) => key.startsWith('1 ')).length
  await until(() => stream.of('uplink').length === told, 'the stream has all uplinks')
  await checkEnds(processes, tenants)
})

interface Process {
  port: number
  address: string
  isAlive: boolean
  start(): Promise<void>
  kill(): Promise<void>
}

/** Whole services, each with a server and background work, on one database. */
function makeProcesses(
  t: Parameters<typeof makeInstallation>[0],
  url: string,
  publicUrl: string,
): Promise<Process[]> {
  const make = async (): Promise<Process> => {
    const installation = await makeInstallation(t)
    let server: ServerProcess | undefined
    const { port, address } = installation
    const each: Process = {
      port,
      address,
      isAlive: false,
      async start() {
        server = installation.start({
          DATABASE_URL: url,
          PUBLIC_URL: publicUrl,
          SECRET_KEY: 'an invented key of more than 32 characters',
          ADMIN_EMAIL: admin.email,
          ADMIN_PASSWORD: admin.password,
          API_RATE_LIMIT: String(rateLimit),
        })
        await server.waitFor('"msg":"serving"')
        each.isAlive = true
      },
      async kill() {
        each.isAlive = false
        await server?.end('SIGKILL')
      },
    }
    return each
  }
  return Promise.all(Array.from({ length: processCount }, make))
}

/** Counts the clients that take the session of one that is connected. */
function countDoubleSessions(broker: Aedes): { count: number } {
  const doubles = { count: 0 }
  broker.preConnect = (
    _client,
    packet,
    done: (error: AuthenticateError | null, ok: boolean) => void,
  ) => {
    const { clients } = broker as unknown as { clients: Record<string, unknown> }
    if (clients[packet.clientId]) doubles.count += 1
    done(null, true)
  }
  return doubles
}

async function addDevices(address: string, { headers }: Tenant, simulator: ChirpStackSimulator) {
  const add = (eui: string, changes: object) =>
    call(`${address}/v1/devices`, {
      method: 'POST',
      headers,
      body: registrationOf(eui, { ...changes }),
    })
  await add(brokerEui, { consoleOnly: true })
  const euis = [...commandedEuis, ...strandedEuis]
  for (const eui of euis) await add(eui, {})
  await until(() => euis.every((eui) => simulator.findDevice(eui)), 'the devices are there')
}

/** The requests to one process soon count in the others. */
async function checkCounts(processes: Process[], { headers }: Tenant): Promise<void> {
  const [one, ...others] = processes
  const readLeft = async (each: Process | undefined) => {
    const answer = await fetch(`${each?.address}/v1/device-regions-networks`, { headers })
    await answer.text()
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  const requests = 30
  for (let request = 0; request < requests; request += 1) await readLeft(one)
  for (const other of others) {
    await until(
      async () => rateLimit - (await readLeft(other)) > requests,
      'requests count for all',
    )
  }
}

/** Queues downlinks one after the other, each with bytes of its own. */
function startDownlinks(address: string, { headers }: Tenant, simulator: ChirpStackSimulator) {
  const acknowledged: { eui: string; bytes: string }[] = []
  // So that kills come between what the network does and its answer.
  const handedOver = countCalls(simulator, '/api.DeviceService/Enqueue', () =>
    sleep(holdMilliseconds),
  )
  let isOver = false
  const work = async () => {
    for (let number = 0; !isOver && number < 4 * 126; number += 1) {
      const eui = commandedEuis[number % commandedEuis.length] ?? ''
      const minutes = 1 + Math.floor(number / commandedEuis.length)
      const field = { config_field: periodOf(minutes) }
      // Without an answer it is unknown whether it is queued.
      const isQueued = await call(`${address}/v1/devices/${eui}/configure`, {
        method: 'POST',
        headers,
        body: field,
      }).then(
        () => true,
        () => false,
      )
      if (isQueued) acknowledged.push({ eui, bytes: bytesOf(minutes) })
      await sleep(200)
    }
  }
  const working = work()
  return {
    async acknowledge(count: number) {
      const most = acknowledged.length + count
      await until(() => acknowledged.length >= most || isOver, 'downlinks are queued')
    },
    /** Leaves a downlink on its way from this process to the network. */
    async strand(at: string, eui: string, db: Database) {
      const body = { config_field: periodOf(1) }
      void call(`${at}/v1/devices/${eui}/configure`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      await until(async () => {
        const rows = await db.query(
          `select 1 as one from downlinks join devices on devices.id = downlinks.device_id
           where devices.eui = $1`,
          [eui],
        )
        return rows.length > 0
      }, 'the downlink is stored')
      await sleep(holdMilliseconds / 2)
      acknowledged.push({ eui, bytes: bytesOf(1) })
    },
    async stop() {
      isOver = true
      await working
    },
    /** Each that was acknowledged is at the network once, and no other is there twice. */
    async check() {
      const queues = () =>
        [...commandedEuis, ...strandedEuis].map((eui) => simulator.findDevice(eui)?.queue ?? [])
      const isThere = ({ eui, bytes }: { eui: string; bytes: string }) =>
        simulator.findDevice(eui)?.queue.includes(bytes) === true
      await until(() => acknowledged.every(isThere), 'all downlinks are handed over')
      for (const queue of queues()) assert.equal(new Set(queue).size, queue.length)
      assert.equal(handedOver.count, queues().flat().length)
      assert.ok(acknowledged.length > 0)
    },
  }
}

/** Publishes uplinks to the broker all the time. */
function startPublishing(
  publish: Awaited<ReturnType<typeof startBroker>>['publish'],
  application: string,
) {
  const keys: string[] = []
  let isOver = false
  const work = async () => {
    for (let fCnt = 1; !isOver; fCnt += 1) {
      const body = { ...makeUp({ eui: brokerEui }), fCnt, time: new Date().toISOString() }
      await publish(fCnt, { application, body })
      keys.push(`1 ${brokerEui} ${body.deduplicationId}`)
      await sleep(50)
    }
  }
  const working = work()
  return {
    keys,
    async stop() {
      isOver = true
      await working
    },
  }
}

/** Counts the calls of a method. `hold` delays their effect, also if the caller dies meanwhile. */
function countCalls(
  { faults }: ChirpStackSimulator,
  method: string,
  hold: () => Promise<unknown> = async () => undefined,
): { count: number } {
  const calls = { count: 0 }
  faults.refusals[method] = async () => {
    calls.count += 1
    await hold()
    return undefined
  }
  return calls
}

/** A logout and a removed account at one process end the token and the callback at all. */
async function checkEnds(processes: Process[], [first, second]: Tenant[]): Promise<void> {
  const alive = processes.filter(({ isAlive }) => isAlive)
  const [one] = alive
  assert.ok(first && second && one && alive.length > 1)
  const statusOf = (url: string, headers: Record<string, string>, method = 'GET') =>
    fetch(url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
    )
  const path = new URL(second.callback.url).pathname
  const json = { 'content-type': 'application/json' }
  const secret = { [second.callback.header]: second.callback.value, ...json }
  const isOver = async (each: Process) =>
    (await statusOf(`${each.address}${path}?event=up`, secret, 'POST')) === 401
  for (const each of alive) assert.equal(await isOver(each), false)
  const account = `${one.address}/v1/network-accounts/chirpstack`
  assert.equal(await statusOf(account, second.headers, 'DELETE'), 204)
  for (const each of alive) await until(() => isOver(each), 'the callback has ended', 1000)

  const profile = '/v1/device-regions-networks'
  for (const each of alive) {
    assert.equal(await statusOf(each.address + profile, first.headers), 200)
  }
  await statusOf(`${one.address}/v1/logout`, first.headers)
  for (const each of alive) {
    assert.equal(await statusOf(each.address + profile, first.headers), 401)
  }
}

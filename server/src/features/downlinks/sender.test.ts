import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  cancel,
  configure,
  passTime,
  periodOf,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { ConnectionServices, NetworkConnections } from '../accounts/connections/connections.ts'
import { cancelNewest } from './cancellation.ts'
import { createDownlinkSender } from './sender.ts'

/** The accounts' connections, whose hand-over is followed by something. */
function withHandOver(
  { connections }: ConnectionServices,
  after: (connection: NetworkConnection, itemId: string) => Promise<string>,
): NetworkConnections {
  return {
    ...connections,
    open: async (accountId) => {
      const connection = await connections.open(accountId)
      const queueDownlink: NetworkConnection['queueDownlink'] = async (downlink) =>
        after(connection, String(await connection.queueDownlink?.(downlink)))
      return { ...connection, queueDownlink }
    },
  }
}

/** Queues a message that nothing hands over yet. */
async function queueHere(bench: Bench, eui: string, minutes: number): Promise<void> {
  bench.simulator.faults.isAway = true
  await queue(bench, eui, minutes)
  bench.simulator.faults.isAway = false
  const { db, now } = bench.service.services
  await db.query('update downlink_queues set next_attempt_at = $1', [now()])
}

test('after a crash between hand-over and commit the message is found, not sent twice', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async () => {
    throw new Error('the process dies')
  })
  const dying = createDownlinkSender({ ...services, connections })
  await dying.sendNow({ organizationId: 1, deviceId: id })
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
  services.downlinkSender.wake()
  await services.downlinkSender.idle()
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)], 'its claim still holds')
  await dieAndPassOn(bench, id)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})

/** Lets the claim of a dead process run out, and the next one take over. */
async function dieAndPassOn({ service }: Bench, deviceId: number): Promise<void> {
  service.setClock(new Date(service.services.now().getTime() + 61_000))
  await service.services.downlinkSender.sendNow({ organizationId: 1, deviceId })
}

test('after a crash within a cancel, what was taken back is handed over again', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  const { services } = bench.service
  let isDead = false
  const connections = {
    ...services.connections,
    open: async (...asked: Parameters<typeof services.connections.open>) => ({
      ...(await services.connections.open(...asked)),
      flushDownlinks: async () => {
        isDead = true
        throw new Error('the process dies')
      },
    }),
  }
  const db: typeof services.db = {
    ...services.db,
    transaction: (work) =>
      isDead ? Promise.reject(new Error('the process is dead')) : services.db.transaction(work),
  }
  await assert.rejects(cancelNewest({ ...services, db, connections }, 1, id))
  bench.service.setClock(new Date(services.now().getTime() + 61_000))
  services.downlinkSender.wake()
  await services.downlinkSender.idle()
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
  const states = await services.db.query('select state from downlinks')
  assert.deepEqual(states, [{ state: 'handed_over' }, { state: 'handed_over' }])
})

test('a message whose hand-over had no answer is found, and its like is told apart', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queue(bench, eui, 5)
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async () => {
    throw new NetworkError('unreachable', 'no answer in time')
  })
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(5)])
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(5)])
  const items = await services.db.query('select distinct queue_item_id from downlinks')
  assert.equal(items.length, 2)
})

test('a message that the network may hold is cancelled there', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async () => {
    throw new NetworkError('unreachable', 'no answer in time')
  })
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  bench.simulator.faults.isAway = true
  assert.equal(await cancel(bench, eui), false)
  bench.simulator.faults.isAway = false
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(atNetwork(bench, eui), [])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'cancelled'])
})

test('a message that the network may hold, and is just sending, is known as handed over', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async () => {
    throw new NetworkError('unreachable', 'no answer in time')
  })
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  const [item] = bench.simulator.devices.get(eui.toLowerCase())?.queue ?? []
  assert.ok(item)
  item.isPending = true
  assert.equal(await cancel(bench, eui), false)
  const { body } = await bench.service.call('GET', `/v1/devices/${eui}/downlinks`)
  assert.equal(body.data[0].state, 'handed_over')
})

test('a message that a network without a list may hold is never called cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queueHere(bench, eui, 5)
  const failures = [
    new NetworkError('unreachable', 'no answer in time'),
    new NetworkError('unreachable', 'nobody listens', { isUndone: true }),
  ]
  const open = async (accountId: number) => {
    const { listDownlinks: _, ...connection } = await services.connections.open(accountId)
    const queueDownlink: NetworkConnection['queueDownlink'] = async (downlink) => {
      const failure = failures.shift()
      if (failure?.isUndone) throw failure
      const itemId = await connection.queueDownlink?.(downlink)
      if (failure) throw failure
      return itemId
    }
    return { ...connection, queueDownlink }
  }
  const connections = { ...services.connections, open }
  const sender = createDownlinkSender({ ...services, connections })
  const attempt = async () => {
    bench.service.setClock(new Date(services.now().getTime() + 60_000))
    await sender.sendNow({ organizationId: 1, deviceId: id })
  }
  await attempt()
  await attempt()
  assert.equal(failures.length, 0)
  const dependencies = { ...services, connections }
  assert.equal(await cancelNewest(dependencies, 1, id), 'unreachable')
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  await attempt()
  // At least once: nothing tells that the first one is there.
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(5)])
})

test('a message that was sent after a crash is closed by the answer of its sensor', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async () => {
    await bench.simulator.sendUplink(eui)
    throw new Error('the process dies')
  })
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
  await dieAndPassOn(bench, id)
  assert.deepEqual(atNetwork(bench, eui), [], 'not sent again')
})

test('what the network tells before the hand-over is written down is not missed', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  bench.simulator.faults.downlinkLossRate = 1
  await queueHere(bench, eui, 5)
  const connections = withHandOver(services, async (_connection, itemId) => {
    await bench.simulator.sendUplink(eui)
    assert.deepEqual(await readEvents(bench, eui), ['created'])
    return itemId
  })
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
})

test('nor is the reason why it failed', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { services } = bench.service
  bench.simulator.faults.isAway = true
  const body = { f_port: 10, payload: '0102', confirmed: true }
  await bench.service.call('POST', `/v1/devices/${eui}/downlink`, { body })
  bench.simulator.faults.isAway = false
  bench.simulator.faults.downlinkLossRate = 1
  const connections = withHandOver(services, async (_connection, itemId) => {
    for (let uplink = 0; uplink < 2; uplink += 1) await bench.simulator.sendUplink(eui)
    return itemId
  })
  bench.service.setClock(new Date(services.now().getTime() + 3600_000))
  await createDownlinkSender({ ...services, connections }).sendNow({
    organizationId: 1,
    deviceId: id,
  })
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'failed'])
  const [failed] = await readHistory(bench, eui)
  assert.match(failed?.eventData ?? '', /^Reason: The device did not acknowledge the downlink/)
})

test('several senders on one database hand each message over once, in its order', async (context) => {
  const bench = await startBench(context)
  const { services } = bench.service
  const devices = await Promise.all([1, 2, 3, 4].map((number) => addBenchDevice(bench, number)))
  bench.simulator.faults.isAway = true
  const minutes = Array.from({ length: 12 }, (_, index) => index + 1)
  for (const { eui } of devices) for (const each of minutes) await queue(bench, eui, each)
  bench.simulator.faults.isAway = false
  const senders = [1, 2, 3].map(() => createDownlinkSender(services))
  bench.service.setClock(new Date(services.now().getTime() + 3600_000))
  const more = devices.map(async ({ eui }) => {
    await configure(bench, eui, periodOf(13))
    await configure(bench, eui, periodOf(14))
  })
  await Promise.all([
    ...more,
    ...senders.flatMap((sender) =>
      devices.map(({ id }) => sender.sendNow({ organizationId: 1, deviceId: id })),
    ),
  ])
  await passTime(bench)
  const expected = [...minutes, 13, 14].map(bytesOf)
  for (const { eui } of devices) assert.deepEqual(atNetwork(bench, eui), expected)
})

test('a device whose network is away holds up no other', async (context) => {
  const bench = await startBench(context)
  const [first, second] = [await addBenchDevice(bench, 1), await addBenchDevice(bench, 2)]
  let isRefused = true
  bench.simulator.faults.refusals['/api.DeviceService/Enqueue'] = () =>
    isRefused ? { code: 14, message: 'busy' } : undefined
  await queue(bench, first.eui, 5)
  isRefused = false
  await queue(bench, second.eui, 6)
  assert.deepEqual(atNetwork(bench, second.eui), [bytesOf(6)])
  assert.deepEqual(atNetwork(bench, first.eui), [])
})

test('what the background work is just sending is waited for', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  await queueHere(bench, eui, 5)
  const { promise: isCalled, resolve: tellCalled } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<undefined>()
  bench.simulator.faults.refusals['/api.DeviceService/Enqueue'] = () => {
    tellCalled()
    return mayAnswer
  }
  const { downlinkSender } = bench.service.services
  downlinkSender.wake()
  await isCalled
  const sent = downlinkSender.sendNow({ organizationId: 1, deviceId: id })
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  letAnswer(undefined)
  await sent
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

test('a device that its network cannot reach yet says nothing of the account', async (context) => {
  const bench = await startBench(context)
  const { service } = bench
  const { services } = service
  const silent = await addBenchDevice(bench, 1)
  const other = await addBenchDevice(bench, 2)
  await queueHere(bench, silent.eui, 5)
  await queueHere(bench, other.eui, 6)
  const open = async (accountId: number) => {
    const connection = await services.connections.open(accountId)
    const queueDownlink: NetworkConnection['queueDownlink'] = async (downlink) => {
      if (downlink.devEui !== silent.eui) return connection.queueDownlink?.(downlink)
      throw new NetworkError('not_yet', 'No Base Station Available.')
    }
    return { ...connection, queueDownlink }
  }
  const connections = { ...services.connections, open }
  const sender = createDownlinkSender({ ...services, connections })
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await sender.sendNow({ organizationId: 1, deviceId: silent.id })
    service.setClock(new Date(services.now().getTime() + 60_000))
  }
  await sender.sendNow({ organizationId: 1, deviceId: other.id })
  assert.deepEqual(atNetwork(bench, other.eui), [bytesOf(6)])
  assert.deepEqual(await readEvents(bench, silent.eui), ['created'], 'it is tried again')
  const account = await service.call('GET', '/v1/network-accounts/chirpstack')
  assert.equal(account.body.data.status, 'connected')
})

test('the background work sends what is due', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queueHere(bench, eui, 5)
  const { downlinkSender } = bench.service.services
  downlinkSender.wake()
  await downlinkSender.idle()
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

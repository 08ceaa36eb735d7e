import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import type { ChirpStackSimulator } from '../../../../simulators/chirpstack/simulator.ts'
import { addDevice, deviceKey, euiOf, readDevice, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import {
  atNetwork,
  connect,
  passTime,
  recordCalls,
  startBoth,
  startConnected,
  untilQuiet,
} from '../../../../test/network.ts'
import type { TestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { createServices } from '../../../services.ts'
import { listLanes } from '../connections/lane-queries.ts'
import { claimOfLane } from './claim-queries.ts'
import * as outbox from './outbox-queries.ts'

const lowerKey = deviceKey.toLowerCase()
const minute = 60_000

/** Takes the next call as a server process does, to die with it or to finish it by hand. */
async function claim({ services }: TestService): Promise<outbox.DeviceTask> {
  const now = services.now()
  const [lane] = await listLanes(services.db, 'provisioning', now)
  assert.ok(lane, 'no call is due')
  const claimedUntil = new Date(now.getTime() + minute)
  const [task] = await claimOfLane(services.db, lane, { now, claimedUntil, claimedBy: null }, 1)
  assert.ok(task?.kind === 'device', 'no call is due')
  return task
}

/** Registers device 1 while nobody can provision it, then connects the account again. */
async function registerUnheard(service: TestService, simulator: ChirpStackSimulator) {
  simulator.faults.isAway = true
  const device = await addDevice(service, 1)
  simulator.faults.isAway = false
  service.setClock(new Date(service.services.now().getTime() + 10 * minute))
  return device
}

test('a call whose process died is made by another once its claim has run out', async (t) => {
  const { service, simulator } = await startConnected(t)
  await registerUnheard(service, simulator)
  await claim(service)
  service.services.provisioner.wake()
  await service.services.provisioner.idle()
  assert.equal(simulator.devices.size, 0, 'a call that somebody is making was made twice')
  await passTime(service, 1.1)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: lowerKey })
})

test('a call that somebody is making is waited for', async (t) => {
  const { service, simulator } = await startConnected(t)
  const { id } = await registerUnheard(service, simulator)
  const { promise: isCalled, resolve: tellCalled } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<undefined>()
  simulator.faults.refusals['/api.DeviceService/Create'] = () => {
    tellCalled()
    return mayAnswer
  }
  const { provisioner } = service.services
  provisioner.wake()
  await isCalled
  const provisioned = provisioner.provisionNow(id)
  assert.equal((await readDevice(service, 1)).device_register_status, 'pending')
  letAnswer(undefined)
  await provisioned
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('a device that was created, but has no keys yet, is completed', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.refusals['/api.DeviceService/CreateKeys'] = {
    code: status.UNAVAILABLE,
    message: 'went away in between',
  }
  assert.equal((await addDevice(service, 1)).device_register_status, 'pending')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: undefined })
  simulator.faults.refusals = {}
  await passTime(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: lowerKey })
  assert.equal(simulator.devices.size, 1)
})

test('a call that succeeded, but was not noted, is made again without harm', async (t) => {
  const { service, simulator } = await startConnected(t)
  await registerUnheard(service, simulator)
  const task = await claim(service)
  const connection = await service.services.connections.open(task.account_id)
  const { eui: devEui, join_eui: joinEui, name } = task
  await connection.addDevice?.({ devEui, joinEui, name, appKey: deviceKey })
  await passTime(service, 1.1)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: lowerKey })

  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  simulator.devices.clear()
  await connect(service, simulator)
  await untilQuiet(service)
  assert.deepEqual(await service.services.db.query('select * from provisioning'), [])
})

test('a device deleted while it is being added is gone from the network afterwards', async (t) => {
  const { service, simulator } = await startConnected(t)
  await registerUnheard(service, simulator)
  const task = await claim(service)
  assert.equal((await service.call('DELETE', `/v1/devices/${euiOf(1)}`)).status, 204)
  const { eui: devEui, join_eui: joinEui, name } = task
  const connection = await service.services.connections.open(task.account_id)
  await connection.addDevice?.({ devEui, joinEui, name, appKey: deviceKey })
  await outbox.succeedAll(service.services.db, task.kind, [task])
  await passTime(service, 0)
  assert.equal(simulator.devices.size, 0)
  assert.deepEqual(await service.services.db.query('select * from provisioning'), [])
})

test('a registration that is deleted before the network answers is still answered', async (t) => {
  const { service, simulator } = await startConnected(t)
  const calls = recordCalls(simulator)
  simulator.faults.latencyMs = 100
  const registration = service.call('POST', '/v1/devices', { body: registrationOf(1) })
  const path = `/v1/devices/${euiOf(1)}`
  await until(async () => (await service.call('GET', path)).status === 200, 'it is registered')
  assert.equal((await service.call('DELETE', path)).status, 204)
  const { status, body } = await registration
  assert.deepEqual([status, body.device.device_id], [200, euiOf(1)])
  simulator.faults.latencyMs = 0
  await passTime(service)
  assert.equal(simulator.devices.size, 0, calls.join())
})

test('two servers on one database provision fifty devices, each of them once', async (t) => {
  const { service, simulator } = await startBoth(t)
  const second = createServices(service.services)
  t.after(() => second.provisioner.close().then(second.connections.close))
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1)
  await Promise.all(numbers.map((number) => addDevice(service, number)))
  const calls = recordCalls(simulator)
  const account = connect(service, simulator)
  const isDone = async () =>
    (await service.services.db.query('select 1 from provisioning limit 1')).length === 0
  await until(async () => {
    for (const { provisioner } of [service.services, second]) provisioner.wake()
    return isDone()
  }, 'all fifty are provisioned')
  await account
  for (const number of numbers) {
    assert.deepEqual(atNetwork(simulator, number), { name: `Device ${number}`, key: lowerKey })
    assert.equal((await readDevice(service, number)).device_register_status, 'active')
  }
  const counted = Object.groupBy(calls, (call) => call)
  assert.deepEqual(
    [counted.Create?.length, counted.CreateKeys?.length, calls.length],
    [50, 50, 100],
  )
})

test('fifty registrations at once are each provisioned once', async (t) => {
  const { service, simulator } = await startConnected(t)
  const calls = recordCalls(simulator)
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1)
  await Promise.all(numbers.map((number) => addDevice(service, number)))
  // A busy machine may need longer than a request waits.
  await untilQuiet(service)
  for (const number of numbers) {
    assert.equal((await readDevice(service, number)).device_register_status, 'active')
  }
  assert.equal(simulator.devices.size, 50)
  assert.equal(calls.length, 100)
})

test('one device whose call cannot be made holds up no other', async (t) => {
  const { service, simulator } = await startBoth(t)
  const damaged = await addDevice(service, 1)
  for (const number of [2, 3]) await addDevice(service, number)
  const { db } = service.services
  await db.query("update devices set sealed_key = '\\x00' where id = $1", [damaged.id])
  await connect(service, simulator)
  await untilQuiet(service)
  const states = [1, 2, 3].map((number) => readDevice(service, number))
  assert.deepEqual(
    (await Promise.all(states)).map((device) => device.device_register_status),
    ['pending', 'active', 'active'],
  )
})

test('what becomes of a call is noted with its own device only', async (t) => {
  const { service, simulator } = await startConnected(t)
  const { db, now } = service.services
  const { id } = await registerUnheard(service, simulator)
  const neighbour = await addDevice(service, 3, { consoleOnly: true })
  await db.query(`update devices set register_status = 'pending' where id = $1`, [neighbour.id])
  const { organizationId } = await foundOrganization(service, 'bo@example.test')
  // Ids are unique within an organization.
  const twin = { id, eui: euiOf(2), network: 'chirpstack', register_method: 'user_account' }
  await db.query(
    `insert into devices (organization_id, id, device_eui, join_eui, name, type_id, network,
       register_method, register_status, user_id)
     overriding system value
     select $1, id, $2, join_eui, name, type_id, network, register_method, register_status, user_id
     from devices where id = $3`,
    [organizationId, twin.eui, id],
  )
  await outbox.enqueueAll(db, organizationId, [{ kind: 'device', action: 'add', ...twin }], now())
  const read = () =>
    db.query(
      `select organization_id, register_status, register_error, (
         select count(*) from provisioning where provisioning.organization_id = $1
       ) as calls from devices where device_eui <> $2 order by organization_id`,
      [organizationId, euiOf(1)],
    )
  const pending = await read()
  assert.equal(pending.length, 2)
  const task = await claim(service)
  assert.equal(task.organization_id, 1)
  await outbox.postpone(db, task, { nextAttemptAt: now(), reason: 'later', isItsOwn: true })
  assert.deepEqual(await read(), pending)
  await outbox.refuse(db, task, 'no')
  assert.deepEqual(await read(), pending)
  await outbox.succeedAll(db, 'device', [task])
  assert.deepEqual(await read(), pending)
  await outbox.withdrawAll(db, 1, { kind: 'device', ids: [id] }, now())
  assert.deepEqual(await read(), pending)
})

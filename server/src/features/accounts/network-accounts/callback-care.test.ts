import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { startFollowing } from '../../../../test/broker-account.ts'
import { addDevice, connectAccount, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import type { Login, TestService } from '../../../../test/service.ts'
import { startListening } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { careForCallbacks, checkAfterStart } from './callback-care.ts'
import { withdrawDue } from './callback-withdrawal.ts'

const url = '/v1/network-accounts/chirpstack'
const hour = 3_600_000

async function start(t: TestContext) {
  const simulator = await startChirpStack(t)
  const service = await startListening(t)
  const { callback } = await connect(service, simulator)
  const { integrations } = simulator.store
  const read = () => integrations.get(simulator.applicationId)
  const isSet = () => read()?.headers[callback.header] === callback.value
  /** By its owner, at ChirpStack. */
  const change = () => {
    const integration = read()
    if (integration) integration.headers = { [callback.header]: 'another' }
  }
  return { simulator, service, callback, integrations, read, isSet, change }
}

async function readMessage(service: TestService, as: Login = service.owner): Promise<string> {
  return (await service.call('GET', url, { as })).body.data.message
}

async function passHours(service: TestService, hours: number) {
  service.setClock(new Date(service.services.now().getTime() + hours * hour))
  await careForCallbacks(service.services)
}

test('does not fight an owner who changes it again and again', async (t) => {
  const { simulator, service, change, isSet } = await start(t)
  for (let time = 0; time < 3; time += 1) {
    change()
    await passHours(service, 1.5)
    assert.ok(isSet(), `time ${time}`)
  }
  change()
  await passHours(service, 1.5)
  assert.ok(!isSet())
  assert.match(await readMessage(service), /3 times within a day and leaves it as it is now/)
  await passHours(service, 25)
  await passHours(service, 25)
  assert.ok(!isSet(), 'it is set again on another day')
  const account = await connect(service, simulator)
  assert.deepEqual([isSet(), account.message], [true, ''])
})

test('is asked about when its uplinks stop, and after a start', async (t) => {
  const { simulator, service, integrations, read } = await start(t)
  await addDevice(service, 1)
  await passHours(service, 1)
  await simulator.sendUplink(euiOf(1))
  integrations.clear()
  await passHours(service, 0.5)
  assert.equal(read(), undefined)
  await passHours(service, 0.6)
  assert.notEqual(read(), undefined)

  await passHours(service, 2)
  integrations.clear()
  await passHours(service, 0.2)
  assert.equal(read(), undefined)
  await checkAfterStart(service.services)
  await passHours(service, 0.2)
  assert.notEqual(read(), undefined)
})

test('is set again at once by a check of the account, and by a comparison', async (t) => {
  const { service, integrations, isSet } = await start(t)
  for (const what of ['check', 'reconcile']) {
    integrations.clear()
    const answer = await service.call('POST', `${url}/${what}`, { body: {} })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(isSet(), what)
    assert.match(await readMessage(service), /The service has set it again\./)
  }
})

test('is freed at once after a start where the network had paused it', async (t) => {
  const stack = await startStack()
  t.after(() => stack.close())
  const service = await startListening(t)
  await connectAccount(service, 'thethingsnetwork', stack.account)
  const isPaused = () => JSON.stringify([...stack.store.webhooks.values()]).includes('unhealthy"')
  await careForCallbacks(service.services)
  for (const webhook of stack.store.webhooks.values()) {
    webhook.health_status = { unhealthy: { failed_attempts: '5' } }
  }
  await careForCallbacks(service.services)
  assert.ok(isPaused())
  await checkAfterStart(service.services)
  await careForCallbacks(service.services)
  assert.ok(!isPaused())
})

test('is asked about while uplinks come only by MQTT', async (t) => {
  const { service, simulator, put, publish } = await startFollowing(t)
  assert.equal((await put()).message, '')
  await passHours(service, 0.5)
  const { integrations, applications } = simulator.store
  assert.deepEqual([integrations.size, applications.size], [1, 1])
  integrations.clear()
  await publish(1)
  const isHeard = async () => {
    const { db } = service.services
    const heard = await db.query('select 1 from network_accounts where broker_heard_at is not null')
    return heard.length > 0
  }
  await until(isHeard, 'the account is heard of', 20_000)
  await passHours(service, 1.1)
  assert.equal(integrations.size, 1)
  assert.match(await readMessage(service), /The service has set it again\./)
})

test('tells that the network hears a device of which no uplink ever came here', async (t) => {
  const { simulator, service } = await start(t)
  await addDevice(service, 1)
  const device = simulator.store.devices.get(euiOf(1).toLowerCase())
  assert.ok(device)
  device.lastSeenAt = Date.now() + 11 * 60_000
  await passHours(service, 25)
  assert.match(
    await readMessage(service),
    /^The network has heard the device 00AA000000000001 but none of its uplinks .*can the network reach http/,
  )
})

test('tells that the network hears a device whose uplinks do not come here', async (t) => {
  const { simulator, service } = await start(t)
  await addDevice(service, 1)
  await simulator.sendUplink(euiOf(1))
  await passHours(service, 25)
  // By the simulator's clock the device was heard long after the uplink that came here.
  assert.match(
    await readMessage(service),
    /^The network has heard the device 00AA000000000001 since its last uplink here: can the network reach http/,
  )
})

test('an account that could not be entered at first is entered once it is connected', async (t) => {
  const { simulator, service, read } = await start(t)
  const as = await foundOrganization(service, 'bo@example.test')
  simulator.faults.isAway = true
  const { callback } = await connect(service, simulator, {}, as)
  assert.equal(read()?.url.includes(callback.url), false)
  simulator.faults.isAway = false
  await addDevice(service, 2, {}, as)
  await service.services.provisioner.idle()
  await passHours(service, 0.2)
  await service.services.provisioner.idle()
  await passHours(service, 0.2)
  assert.equal(read()?.url.includes(callback.url), true)
})

test('asks about all that are due, one account of a tenant at a time', async (t) => {
  const { simulator, service, integrations } = await start(t)
  const owners: Login[] = [await foundOrganization(service, 'tenant@example.test')]
  for (const name of ['one', 'two']) {
    owners.push(await foundOrganization(service, `${name}@example.test`, owners[0]))
  }
  for (const as of owners) await connect(service, simulator, {}, as)
  integrations.clear()
  await passHours(service, 25)
  const messages = await Promise.all(owners.map((as) => readMessage(service, as)))
  messages.push(await readMessage(service))
  for (const words of messages) assert.match(words, /set it again/)
  const inOrder = await service.services.db.query<{ organization_id: number }>(
    'select organization_id from network_accounts order by xmin::text::bigint',
  )
  const turn = inOrder.findIndex(({ organization_id: id }) => id === 1)
  assert.ok(turn <= 1, 'the tenant with one account has its turn')
})

test('says to whom else the integration sends', async (t) => {
  const { simulator, service, integrations } = await start(t)
  integrations.set(simulator.applicationId, {
    url: 'https://others.example.test/events',
    headers: { 'X-Theirs': 'theirs' },
    isJson: false,
  })
  const account = await connect(service, simulator)
  assert.equal(account.status, 'connected')
  assert.match(account.message, /sends in Protobuf, which the callback does not read/)
  assert.match(account.message, /also sends to other addresses \(others\.example\.test\)/)
})

test('accepts the header that all accounts once had', async (t) => {
  const { service, callback } = await start(t)
  const send = async (headers: Record<string, string>) => {
    const { pathname } = new URL(callback.url)
    return (await service.call('POST', pathname, { as: null, headers, body: {} })).status
  }
  assert.match(callback.header, /^x-callback-secret-[0-9a-f]{8}$/)
  // 400: it is no message of ChirpStack's.
  assert.equal(await send({ [callback.header]: callback.value }), 400)
  assert.equal(await send({ 'x-callback-secret': callback.value }), 400)
  assert.equal(await send({ 'x-callback-secret': 'of another account' }), 401)
  const both = { 'x-callback-secret': 'of another account', [callback.header]: callback.value }
  assert.equal(await send(both), 400)
})

// shows 11.1.16
test('takes its callback away from the application that it leaves', async (t) => {
  const { simulator, service, read, integrations } = await start(t)
  const second = await startChirpStack(t)
  const move = { ...second.account }
  const moved = await service.call('PUT', url, { body: move })
  assert.equal(moved.body.data.status, 'connected', moved.text)
  assert.equal(read(), undefined)
  assert.notEqual(second.store.integrations.get(second.applicationId), undefined)

  // Back again, while the place that it leaves is away.
  second.faults.isAway = true
  await connect(service, simulator)
  assert.notEqual(integrations.get(simulator.applicationId), undefined)
  assert.notEqual(second.store.integrations.size, 0)
  second.faults.isAway = false
  await passHours(service, 1)
  await withdrawDue(service.services)
  assert.equal(second.store.integrations.size, 0)
  assert.notEqual(read(), undefined)
})

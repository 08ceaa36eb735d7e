import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type ChirpStackSimulator,
  startSimulator,
} from '../../../../simulators/chirpstack/simulator.ts'
import { bytesOf, queue } from '../../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  connectAccount,
  euiOf,
  gatewayCreation,
  gatewayEuiOf,
  readDevice,
  registrationOf,
} from '../../../../test/fleet.ts'
import { runJob } from '../../../../test/jobs.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { work } from '../../../../test/moves.ts'
import { passTime, untilQuiet } from '../../../../test/network.ts'
import { startListening } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

/** Two ChirpStack servers of one organization: the first account, and one that is named. */
const service = await startListening({ after })
const [first, north] = await Promise.all([startServer(1), startServer(2)])
const url = '/v1/network-accounts/chirpstack'
const named = { accountName: 'north' }

async function startServer(seed: number): Promise<ChirpStackSimulator> {
  const simulator = await startSimulator({ seed })
  after(() => simulator.close())
  return simulator
}

for (const [simulator, name] of [
  [first, {}],
  [north, { account_name: 'north' }],
] as const) {
  const account = await connectAccount(service, 'chirpstack', { ...simulator.account, ...name })
  assert.equal(account.status, 'connected', account.message)
}

const has = (simulator: ChirpStackSimulator, number: number) =>
  simulator.devices.has(euiOf(number).toLowerCase())

async function lastUplink(number: number): Promise<string | undefined> {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}/uplink`)
  return answer.body.data[0]?.data
}

// shows 11.1.20, 11.1.21
test('two accounts of a network are set, listed and shown apart', async () => {
  const [one, other] = await Promise.all([
    service.call('GET', url),
    service.call('GET', `${url}?account_name=north`),
  ])
  assert.equal('account_name' in one.body.data, false, 'the first account is as it always was')
  assert.equal(one.body.data.account.server, first.server)
  assert.equal(other.body.data.account_name, 'north')
  assert.equal(other.body.data.register_method, 'user_account')
  assert.equal(other.body.data.account.server, north.server)
  assert.notEqual(one.body.data.callback.url, other.body.data.callback.url)
  const { body } = await service.call('GET', '/v1/network-accounts')
  const lines = body.data.filter(({ network }: { network: string }) => network === 'chirpstack')
  assert.deepEqual(
    lines.map((line: { account_name?: string }) => line.account_name),
    [undefined, 'north'],
  )
  const checked = await service.call('POST', `${url}/check`, { body: { account_name: 'north' } })
  assert.equal(checked.body.data.ok, true, checked.text)
  const rotated = await service.call('POST', `${url}/rotate?account_name=north`)
  assert.notEqual(rotated.body.data.callback.value, other.body.data.callback.value)
  const after = await service.call('GET', url)
  assert.deepEqual(after.body, one.body, 'the first account has its own secret')
  for (const path of [`${url}?account_name=south`, `${url}/quarantine?account_name=south`]) {
    assert.equal((await service.call('GET', path)).status, 404)
  }
})

// shows 11.1.22
test('a name that is none, or stands beside vendor, is refused', async () => {
  for (const account_name of ['North', 'a b', '-a', 'a'.repeat(33), 'ü', 7]) {
    const { status, body } = await service.call('PUT', url, {
      body: { ...first.account, account_name },
    })
    assert.equal(status, 422, String(account_name))
    assert.deepEqual(Object.keys(body.errors), ['account_name'])
  }
  const vendor = { register_method: 'vendor', account_name: 'north' }
  const put = await service.call('PUT', url, { body: { ...first.account, ...vendor } })
  assert.match(put.body.errors.account_name[0], /the operator has one at each network/)
  const beside = registrationOf(90, { registerMethod: 'vendor', ...named })
  const registered = await service.call('POST', '/v1/devices', { body: beside })
  assert.equal(registered.status, 422)
  assert.deepEqual(Object.keys(registered.body.errors), ['accountName'])
})

// shows 11.1.23, 11.1.24
test('a device goes to the account that its registration names, and is heard and told by it', async () => {
  await addDevice(service, 1)
  const record = await addDevice(service, 2, named)
  assert.equal(record.device_register_status, 'active')
  assert.deepEqual([has(first, 1), has(north, 1)], [true, false])
  assert.deepEqual([has(first, 2), has(north, 2)], [false, true])
  await Promise.all([first.settle(), north.settle()])
  await first.sendUplink(euiOf(1), '100301')
  await north.sendUplink(euiOf(2), '110301')
  assert.deepEqual([await lastUplink(1), await lastUplink(2)], ['100301', '110301'])
  const { body } = await service.call('GET', '/v1/fleet/devices')
  const rows = body.data.map((row: { register_method: string; account_name?: string }) => [
    row.register_method,
    row.account_name,
  ])
  assert.deepEqual(rows, [
    ['user_account', undefined],
    ['user_account', 'north'],
  ])
  for (const [simulator, number] of [
    [first, 1],
    [north, 2],
  ] as const) {
    await queue({ service }, euiOf(number), number)
    await until(
      () => simulator.findDevice(euiOf(number))?.queue.includes(bytesOf(number)) ?? false,
      'the downlink is in the queue of its own server',
    )
  }
})

// shows 11.1.25
test('what one account says of a device of the other waits in its own quarantine', async () => {
  const other = await foundOrganization(service, 'elsewhere@example.test')
  const account = { ...north.account, account_name: 'north' }
  await connectAccount(service, 'chirpstack', account, other)
  await addDevice(service, 3)
  await addDevice(service, 3, named, other)
  await Promise.all([first.settle(), north.settle()])
  await north.sendUplink(euiOf(3), '120301')
  const quarantine = await service.call('GET', `${url}/quarantine?account_name=north`)
  assert.deepEqual(
    quarantine.body.data.map((row: { eui: string }) => row.eui),
    [euiOf(3)],
  )
  assert.equal(await lastUplink(3), undefined)
  assert.equal((await service.call('GET', `${url}/quarantine`)).body.total, 0)
  const removed = await service.call('DELETE', `${url}?account_name=north`, { as: other })
  assert.equal(removed.status, 204)
})

test('one account that is away delays nothing at the other, and has its own pause', async () => {
  north.faults.isAway = true
  const waits = await addDevice(service, 4, named)
  assert.equal(waits.device_register_status, 'pending')
  assert.match((await readDevice(service, 4)).api_error_json, /could not be reached/)
  assert.equal((await addDevice(service, 5)).device_register_status, 'active')
  const { body } = await service.call('GET', '/v1/fleet/networks')
  const network = body.data.find(({ key }: { key: string }) => key === 'chirpstack')
  assert.deepEqual(network.register_methods, ['user_account'])
  const [own, named_] = network.accounts
  assert.deepEqual([own.account_name, own.api.status], [undefined, 'connected'])
  assert.deepEqual([named_.account_name, named_.api.status], ['north', 'unreachable'])
  assert.deepEqual([named_.counts.devices, named_.counts.waiting_calls], [2, 1])
  north.faults.isAway = false
  await passTime(service)
  assert.equal(has(north, 4), true)
})

// shows 11.1.26
test('a device moves between two accounts of a network, and keeps its history', async () => {
  await addDevice(service, 6)
  await first.settle()
  await first.sendUplink(euiOf(6), '100301')
  const target = { network: 10, registerMethod: 'user_account' }
  const send = (body: object) => service.call('POST', `/v1/devices/${euiOf(6)}/move`, { body })
  assert.equal((await send(target)).status, 422, 'it is there already')
  const moved = await send({ ...target, ...named })
  assert.equal(moved.status, 200, moved.text)
  const { from, to, state, id } = moved.body.data
  assert.deepEqual([from.account_name, to.account_name, state], [undefined, 'north', 'waiting'])
  await north.settle()
  await first.sendUplink(euiOf(6), '110301')
  const stateNow = async () => (await service.call('GET', `/v1/moves/${id}`)).body.data.state
  assert.equal(await stateNow(), 'waiting', 'the old server is not the new one')
  await north.sendUplink(euiOf(6), '120301')
  assert.equal(await stateNow(), 'completing')
  await work({ service } as never)
  assert.equal(await stateNow(), 'done')
  assert.deepEqual([has(first, 6), has(north, 6)], [false, true])
  assert.equal(await lastUplink(6), '120301')
})

// shows 11.1.27
test('batches, jobs, adoption and gateways name the account', async () => {
  const row = (number: number, provisioning: object) => ({
    action: 'create',
    deviceName: `Device ${number}`,
    deviceId: euiOf(number),
    provisioningData: {
      ...{ network: 'chirpstack', registerMethod: 'user_account', deviceTypeId: 16 },
      ...{ deviceKey: '000102030405060708090A0B0C0D0E0F', joinEui: '0000000000000000' },
      ...provisioning,
    },
  })
  const wrong = row(8, { accountName: 'Ü' })
  const devices = [row(7, named), wrong, row(9, { ...named, registerMethod: 'vendor' })]
  const batch = await service.call('POST', '/v1/batch-device-requests', { body: { devices } })
  assert.deepEqual(
    batch.body.data.map(({ status }: { status: boolean }) => status),
    [true, false, false],
  )
  const { action: _, ...rowOfJob } = row(10, named)
  await runJob(service, { kind: 'register', rows: [rowOfJob] })
  await untilQuiet(service)
  assert.deepEqual([has(north, 7), has(north, 10), has(first, 7)], [true, true, false])

  await service.call('DELETE', `/v1/devices/${euiOf(2)}`)
  await untilQuiet(service)
  north.addDevice(euiOf(11), 'Found')
  const reconciled = await service.call('POST', `${url}/reconcile`, {
    body: { account_name: 'north', adopt_all: { device_type: 16 } },
  })
  assert.equal(reconciled.body.data.account_name, 'north')
  assert.equal(reconciled.body.data.totals.device.only_here, 0, reconciled.text)

  await addGateway(service, 1, { account_name: 'north' })
  const gateways = [gatewayCreation(2, named), gatewayCreation(3, { accountName: 'Ü' })]
  await service.call('POST', '/v1/batch-gateway-requests', { body: { gateways } })
  await untilQuiet(service)
  const at = (simulator: ChirpStackSimulator) =>
    [1, 2, 3].map((number) => simulator.store.gateways.has(gatewayEuiOf(number).toLowerCase()))
  assert.deepEqual(
    [at(first), at(north)],
    [
      [false, false, false],
      [true, true, false],
    ],
  )
})

// shows 11.1.28
test('an account that is removed leaves its devices waiting, and the other account alone', async () => {
  assert.equal((await service.call('DELETE', `${url}?account_name=north`)).status, 204)
  assert.equal((await service.call('GET', url)).body.data.status, 'connected')
  const body = registrationOf(12, named)
  const { body: answer } = await service.call('POST', '/v1/devices', { body })
  assert.equal(answer.device.device_register_status, 'pending')
  assert.match(answer.warnings[0], /^The organization has no account north at ChirpStack v4/)
  await connectAccount(service, 'chirpstack', { ...north.account, account_name: 'north' })
  await passTime(service)
  assert.equal(has(north, 12), true)
})

test('an organization has at most 20 accounts at a network', async () => {
  const as = await foundOrganization(service, 'many@example.test')
  const put = (name: number) =>
    service.call('PUT', url, {
      as,
      body: { ...first.account, server: 'http://127.0.0.1:1', account_name: `s${name}` },
    })
  for (let name = 1; name <= 20; name += 1) assert.equal((await put(name)).status, 200)
  const { status, body } = await put(21)
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors), ['account_name'])
  assert.equal((await put(20)).status, 200)
})

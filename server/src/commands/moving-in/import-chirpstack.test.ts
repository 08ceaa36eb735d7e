import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ChirpStackSimulator } from '../../../simulators/chirpstack/simulator.ts'
import { euiOf } from '../../../test/fleet.ts'
import { addOwned, addOwnedGateway, keyOf, probe, startImports } from '../../../test/imports.ts'
import { connect, recordCalls, startChirpStack } from '../../../test/network.ts'
import { until } from '../../../test/until.ts'

/** Devices that come from ChirpStack. */

const { service, folder, startFleet, listDevices } = await startImports()

test('a fleet comes from ChirpStack by its applications, and no call changes anything there', async () => {
  const { owner, simulator, run } = await startFleet()
  await connect(service, simulator, {}, owner)
  const calls = recordCalls(simulator)
  for (const number of [1, 2, 3])
    addOwned(simulator, number, { application: simulator.applicationId })
  const words = ['chirpstack', '--type', '16']

  const dry = await run([...words, '--dry-run'])
  assert.deepEqual(dry.totals, { rows: 3, done: 0, planned: 3, unchanged: 0, failed: 0 })
  assert.deepEqual(await listDevices(owner), [])

  const path = join(folder, 'report.csv')
  const first = await run([...words, '--below', 'ChirpStack', '--report', path])
  assert.deepEqual(first.totals, { rows: 3, done: 3, planned: 0, unchanged: 0, failed: 0 })
  assert.match(await readFile(path, 'utf8'), /^row,device_id,.*\r\n1,00AA000000000001,Theirs 1,/)
  const [device] = await listDevices(owner)
  assert.equal(device.device_name, 'Theirs 1')
  assert.equal(device.join_eui, '00AA00000000FF01')
  assert.deepEqual(
    device.groups.map(({ name }: { name: string }) => name),
    ['Simulated application'],
  )
  const group = await service.call('GET', `/v1/device-groups/${device.groups[0].id}`, { as: owner })
  assert.match(group.text, new RegExp(keyOf(1), 'i'))

  addOwned(simulator, 4, { application: simulator.applicationId })
  const second = await run([...words, '--below', 'ChirpStack'])
  assert.deepEqual(second.totals, { rows: 4, done: 1, planned: 0, unchanged: 3, failed: 0 })
  assert.deepEqual(calls, [])
})

// shows 11.1.29
test('one command connects three applications, and brings in their devices', async () => {
  const { owner, simulator, run } = await startFleet()
  const { store, tenantId } = simulator
  const [first = ''] = store.applications.keys()
  const ids = ['1', '2'].map((digit) => `00000000-0000-4000-a000-00000000000${digit}`)
  for (const [index, id] of ids.entries()) {
    store.applications.set(id, { id, tenantId, name: `Hall ${index + 1}` })
  }
  for (const [index, application] of [first, ...ids, ...ids].entries()) {
    addOwned(simulator, index + 1, { application })
  }
  const calls = recordCalls(simulator)
  const words = ['chirpstack', '--server', simulator.server, '--tenant', tenantId, '--connect']
  const stranger = await run(words, { API_TOKEN: 'unknown' })
  assert.match(stranger.error, /answered 401/)
  assert.deepEqual([stranger.lines, calls], [[], []], 'the source was read in vain')
  const dry = await run([...words, '--type', '16', '--dry-run'])
  assert.equal(dry.totals.planned, 5, JSON.stringify(dry))
  assert.equal(store.integrations.size, 0)
  const end = await run([...words, '--type', '16'])
  assert.equal(end.totals.done, 5, JSON.stringify(end))
  assert.deepEqual([...store.integrations.keys()].sort(), [first, ...ids].sort())
  const devices = await listDevices(owner)
  const groups = devices.map((device: { groups: { name: string }[] }) => device.groups[0]?.name)
  assert.deepEqual(groups.sort(), ['Hall 1', 'Hall 1', 'Hall 2', 'Hall 2', 'Simulated application'])
  assert.deepEqual(calls, [])

  await simulator.sendUplink(euiOf(2))
  const uplinks = await service.call('GET', `/v1/devices/${euiOf(2)}/uplink`, { as: owner })
  assert.equal(uplinks.body.meta.total, 1)
  const name = { device_name: 'Renamed', deviceType: 16 }
  await service.call('PATCH', `/v1/devices/${euiOf(2)}`, { as: owner, body: name })
  await service.services.provisioner.idle()
  assert.equal(simulator.devices.get(euiOf(2).toLowerCase())?.record.getName(), 'Renamed')
  const account = await service.call('GET', '/v1/network-accounts/chirpstack', { as: owner })
  assert.equal(account.body.data.account.more_application_ids.split(',').length, 2)
  await service.call('DELETE', '/v1/network-accounts/chirpstack', { as: owner })
  await until(async () => store.integrations.size === 0, 'the callbacks are removed')
})

test('reads names that are none here with blanks in the place of what is wrong', async () => {
  const { owner, simulator, run } = await startFleet()
  await connect(service, simulator, {}, owner)
  const { store, applicationId } = simulator
  addOwned(simulator, 1, { application: applicationId })
  store.devices.get(euiOf(1).toLowerCase())?.record.setName('Door\u202eof\nthe hall')
  Object.assign(store.applications.get(applicationId) ?? {}, { name: 'Halls\tNorth' })
  addOwnedGateway(simulator, 1, { name: 'Mast\r\n1' })
  const { totals, lines } = await run(['chirpstack', '--type', '16'])
  assert.equal(totals.failed, 0, lines.join('\n'))
  const [device] = await listDevices(owner)
  assert.deepEqual([device.device_name, device.groups[0].name], ['Door of the hall', 'Halls North'])
  const gateways = await service.call('GET', '/v1/fleet/gateways', { as: owner })
  assert.equal(gateways.body.data[0].name, 'Mast 1')
})

test('two ChirpStack servers come in one after the other, each by an account of its own', async () => {
  const { owner, simulator: south, run } = await startFleet()
  const north = await startChirpStack({ after })
  for (const [simulator, numbers] of [
    [south, [1, 2, 3]],
    [north, [3, 4, 5]],
  ] as const) {
    for (const number of numbers)
      addOwned(simulator, number, { application: simulator.applicationId })
  }
  const from = ({ server, tenantId }: ChirpStackSimulator, ...more: string[]) => [
    ...['chirpstack', '--server', server, '--tenant', tenantId, '--connect', '--type', '16'],
    ...more,
  ]
  const keys = [{ SOURCE_API_KEY: south.apiKey }, { SOURCE_API_KEY: north.apiKey }]
  assert.equal((await run(from(south), keys[0])).totals.done, 3)
  const other = await run(from(north), keys[1])
  assert.match(other.error, /another ChirpStack or tenant .*--account NAME connects a further one/)

  const words = from(north, '--account', 'north')
  const dry = await run([...words, '--dry-run'], keys[1])
  assert.deepEqual([dry.totals.planned, dry.totals.unchanged], [2, 1], JSON.stringify(dry))
  assert.ok(dry.lines.includes('Would be connected: Simulated application.'))
  assert.equal(north.store.integrations.size, 0)
  const path = join(folder, 'north.csv')
  const end = await run([...words, '--report', path], keys[1])
  assert.deepEqual(
    end.rows.map(({ message }: { message: string }) => message),
    ['Already here, by the first account at chirpstack.', 'Device adopted.', 'Device adopted.'],
  )
  assert.match(await readFile(path, 'utf8'), /by the first account at chirpstack/)
  const devices: { device_id: string; account_name?: string }[] = await listDevices(owner)
  assert.deepEqual(
    devices.map(({ account_name }) => account_name),
    [undefined, undefined, undefined, 'north', 'north'],
  )
  for (const [simulator, number] of [
    [south, 1],
    [north, 5],
  ] as const) {
    await simulator.sendUplink(euiOf(number))
    const uplinks = await service.call('GET', `/v1/devices/${euiOf(number)}/uplink`, { as: owner })
    assert.equal(uplinks.body.meta.total, 1)
  }
  addOwned(north, 6, { application: north.applicationId })
  const again = await run(['chirpstack', '--account', 'north', '--type', '16'], keys[1])
  assert.deepEqual([again.totals.done, again.totals.unchanged], [1, 3])
  assert.equal((await run(from(south), keys[0])).totals.unchanged, 3)

  const twice = await run(from(north, '--account', 'third'), keys[1])
  assert.match(twice.error, /is connected already by another account: use --account north/)
  const unknown = from(north, '--account', 'third').filter((word) => word !== '--connect')
  assert.match((await run(unknown, keys[1])).error, /has no account "third" at chirpstack: connect/)
  assert.match((await run([...words, '--vendor'])).error, /^--account is for accounts of the org/)
  assert.match((await run(from(north, '--account', 'Nö'))).error, /^--account: The account name/)
})

test('device profiles with a codec become device types', async () => {
  const { owner, simulator, run } = await startFleet()
  await connect(service, simulator, {}, owner)
  const { store, applicationId: application, tenantId } = simulator
  const id = '00000000-0000-4000-a000-00000000000c'
  const kind = { id, tenantId, name: 'Probe', flushQueueOnActivate: true, supportsClassC: false }
  store.deviceProfiles.set(id, { ...kind, codec: probe })
  addOwned(simulator, 1, { application, profile: id })
  addOwned(simulator, 2, { application })
  const words = ['chirpstack', '--make-types']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [1, 1])
  assert.equal(
    dry.rows[1].message,
    'No device type is given for "Simulated device profile": --type "Simulated device profile=TYPE" names one.',
  )
  const types = await service.call('GET', '/v1/device-types', { as: owner })
  assert.deepEqual(types.body.data, [])
  const types16 = join(folder, 'types.json')
  await writeFile(types16, '{"simulated device profile": "LoRa Door/Window"}')
  const end = await run([...words, '--types', types16])
  assert.equal(end.totals.done, 2, JSON.stringify(end))
  const devices = await listDevices(owner)
  const names = devices.map((device: { device_type: { name: string } }) => device.device_type.name)
  assert.deepEqual(names, ['Probe', 'RBS301-DWS - LoRa Door/Window'])
})

test('the variables of a device come with it, and those that are here stay', async () => {
  const { owner, simulator, run } = await startFleet()
  await connect(service, simulator, {}, owner)
  const { store, applicationId: application } = simulator
  const give = (number: number, name: string, value: string) => {
    addOwned(simulator, number, { application })
    store.devices.get(euiOf(number).toLowerCase())?.record.getVariablesMap().set(name, value)
  }
  const see = async (number: number) => {
    const path = `/v1/devices/${euiOf(number)}/variables`
    return (await service.call('GET', path, { as: owner })).body.data.variables
  }
  give(1, 'offset', '1.5')
  give(2, 'note', 'x'.repeat(2000))
  const words = ['chirpstack', '--type', '16']
  const end = await run(words)
  assert.equal(end.totals.done, 2, JSON.stringify(end))
  assert.deepEqual([await see(1), await see(2)], [{ offset: '1.5' }, {}])
  assert.equal(end.rows[0].message, 'Device adopted.')
  assert.match(end.rows[1].message, /^Device adopted\. Its variables were not taken over: .*1024/)
  assert.doesNotMatch(JSON.stringify(end), /1\.5|xxx/)
  give(1, 'offset', '2')
  give(2, 'note', 'short')
  await run(words)
  assert.deepEqual([await see(1), await see(2)], [{ offset: '1.5' }, { note: 'short' }])
})

test('devices of one ChirpStack are registered at another, or only recorded', async () => {
  const { owner, simulator: from, run } = await startFleet()
  const to = await startChirpStack({ after })
  await connect(service, to, {}, owner)
  const { applicationId: application, deviceProfileId } = from
  for (const number of [1, 2, 3]) addOwned(from, number, { application })
  from.store.devices.get(euiOf(3).toLowerCase())?.keys?.setNwkKey('')
  const words = ['chirpstack', '--server', from.server, '--tenant', from.tenantId, '--type', '16']
  const stay = await run([...words, '--dry-run'])
  assert.equal(stay.totals.failed, 3)
  assert.match(stay.rows[0].message, /account does not list the device/)
  const dry = await run([...words, '--as', 'register', '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [2, 1])
  assert.equal(dry.rows[2].message, 'The AppKey is not known.')
  assert.equal(to.devices.size, 0)

  const end = await run([...words, '--as', 'register', '--application', 'Simulated application'])
  assert.deepEqual([end.totals.done, end.totals.failed], [2, 1])
  await service.services.provisioner.idle()
  const there = to.devices.get(euiOf(1).toLowerCase())
  assert.equal(there?.keys?.getNwkKey(), keyOf(1))
  assert.equal(there?.record.getJoinEui(), '00aa00000000ff01')
  assert.equal(there?.record.getDeviceProfileId(), to.deviceProfileId)
  assert.ok(deviceProfileId)

  addOwned(from, 4, { application })
  assert.equal((await run([...words, '--as', 'record'])).totals.done, 1)
  assert.equal(to.devices.size, 2)
  const [, , alone] = await listDevices(owner)
  assert.deepEqual([alone.device_register_status, alone.extra_notes], ['active', 'in the hall'])
})

test('says what is missing, and shows no key', async () => {
  const { owner, run, simulator } = await startFleet()
  assert.match((await run(['chirpstack'])).error, /has no account at chirpstack: connect one/)
  await connect(service, simulator, {}, owner)
  assert.match(
    (await run(['chirpstack'], { SOURCE_API_KEY: '' })).error,
    /^SOURCE_API_KEY is not set/,
  )
  assert.match((await run(['chirpstack'], { API_TOKEN: '' })).error, /^API_TOKEN is not set/)
  const wrong = await run(['chirpstack'], { SOURCE_API_KEY: 'wrong-but-long-enough' })
  assert.match(wrong.error, /InvalidToken/)
  assert.doesNotMatch(wrong.error, /long-enough/)
  assert.match((await run(['chirpstack', '--as', 'magic'])).error, /^--as must be one of: adopt/)
  assert.match(
    (await run(['chirpstack', '--application', 'none'])).error,
    /has no application "none"/,
  )
  addOwned(simulator, 1, { application: simulator.applicationId })
  const end = await run(['chirpstack', '--type', '16'])
  assert.doesNotMatch(JSON.stringify(end), new RegExp(keyOf(1), 'i'))
})

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import gatewayPb from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { status } from '@grpc/grpc-js'
import type { ChirpStackSimulator } from '../../../simulators/chirpstack/simulator.ts'
import { createSensor } from '../../../simulators/sensor-frames.ts'
import { startSimulator as startStack } from '../../../simulators/thethingsnetwork/simulator.ts'
import { makeKey } from '../../../test/api-keys.ts'
import { endOf, runCommand, startCommand } from '../../../test/command.ts'
import { connectAccount, euiOf, gatewayEuiOf } from '../../../test/fleet.ts'
import { foundOrganization } from '../../../test/members.ts'
import { connect, recordCalls, startChirpStack } from '../../../test/network.ts'
import { type Login, startListening } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import type { CommandContext } from '../command.ts'
import { commands } from '../index.ts'

/** Fleets that come from elsewhere, by `lora-console import`. */

const service = await startListening({ after })
const folder = await mkdtemp(join(tmpdir(), 'import-'))
after(() => rm(folder, { recursive: true }))

/** Runs an import within this process, which costs less, and returns what `--json` prints. */
async function runHere([source = '', ...words]: string[], settings: Record<string, string>) {
  const found = commands.find(({ name }) => name === `import ${source}`)
  assert.ok(found)
  const lines: string[] = []
  const { signal } = new AbortController()
  const context = {
    secret: (name: string) => settings[name],
    say: (line: string) => lines.push(line),
  }
  try {
    const run = found.read([...words, '--url', service.services.publicUrl])
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    const result: any = await run({ ...context, signal } as unknown as CommandContext)
    return { ...result, lines }
  } catch (error) {
    assert.ok(error instanceof Error)
    return { error: error.message, lines }
  }
}

let organizations = 0
async function startFleet() {
  organizations += 1
  const owner = await foundOrganization(service, `moving${organizations}@example.test`)
  const simulator = await startChirpStack({ after })
  const permissions = ['manage_devices', 'manage_groups', 'manage_account', 'manage_gateways']
  const { text } = await makeKey(service, { permissions }, owner)
  const settings = { API_TOKEN: text, SOURCE_API_KEY: simulator.apiKey }
  const run = (words: string[], changes: Record<string, string> = {}) =>
    runHere(words, { ...settings, ...changes })
  return { owner, simulator, run, settings }
}

/** A device that the owner made in the console of ChirpStack, with its keys. */
function addOwned(
  { store, deviceProfileId }: ChirpStackSimulator,
  number: number,
  { application, profile = deviceProfileId }: { application: string; profile?: string },
) {
  const devEui = euiOf(number).toLowerCase()
  const record = new devicePb.Device()
  record.setDevEui(devEui)
  record.setJoinEui('00aa00000000ff01')
  record.setName(`Theirs ${number}`)
  record.setDescription('in the hall')
  record.setApplicationId(application)
  record.setDeviceProfileId(profile)
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(devEui)
  keys.setNwkKey(keyOf(number))
  store.devices.set(devEui, { record, keys, queue: [], sensor: createSensor('door') })
}

function keyOf(number: number): string {
  return number.toString(16).padStart(32, 'a')
}

/** A gateway that the owner made in the console of ChirpStack. */
function addOwnedGateway(
  { store, tenantId }: Pick<ChirpStackSimulator, 'store' | 'tenantId'>,
  number: number,
  { name = `Mast ${number}`, position }: { name?: string; position?: [number, number] } = {},
) {
  const gateway = new gatewayPb.Gateway()
  gateway.setGatewayId(gatewayEuiOf(number).toLowerCase())
  gateway.setTenantId(tenantId)
  gateway.setName(name)
  gateway.setStatsInterval(300)
  if (position) {
    const location = new commonPb.Location()
    location.setLatitude(position[0])
    location.setLongitude(position[1])
    gateway.setLocation(location)
  }
  store.gateways.set(gateway.getGatewayId(), gateway)
}

async function listGateways(as: Login) {
  const { body } = await service.call('GET', '/v1/fleet/gateways?limit=1000&sort=created_at', {
    as,
  })
  return body.data
}

const messagesOf = ({ rows }: { rows: { kind: string; message: string }[] }) =>
  rows.flatMap(({ kind, message }) => (kind === 'gateway' ? message : []))

async function listDevices(as: Login) {
  const { body } = await service.call('GET', '/v1/fleet/devices?limit=1000', { as })
  return body.data
}

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

test('a file is registered through the account that is named for it, or for its row', async () => {
  const { owner, run, simulator: first } = await startFleet()
  const north = await startChirpStack({ after })
  await connect(service, first, {}, owner)
  await connectAccount(service, 'chirpstack', { ...north.account, account_name: 'north' }, owner)
  const path = join(folder, 'accounts.csv')
  const lines = ['', 'north', 'south'].map(
    (name, index) => `${euiOf(index + 1)},${keyOf(index + 1)},${name}`,
  )
  await writeFile(path, ['dev_eui,app_key,account_name', ...lines].join('\n'))
  const words = ['csv', path, '--network', 'chirpstack', '--type', '16']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [2, 1], JSON.stringify(dry))
  assert.equal(dry.rows[2].message, 'The organization has no account "south" at chirpstack.')
  assert.equal((await run(words)).totals.done, 2)
  await service.services.provisioner.idle()
  assert.deepEqual([first.devices.size, north.devices.size], [1, 1])

  await writeFile(path, `dev_eui,app_key\n${euiOf(4)},${keyOf(4)}`)
  assert.equal((await run([...words, '--account', 'north'])).totals.done, 1)
  await service.services.provisioner.idle()
  assert.deepEqual([first.devices.size, north.devices.size], [1, 2])
  const typo = await run([
    'csv',
    path,
    '--network',
    'chirpstack',
    '--account',
    'nort',
    '--type',
    '16',
  ])
  assert.equal(typo.totals.unchanged, 1)
})

test('two applications of The Things Stack are connected by the command', async () => {
  const { owner, run } = await startFleet()
  const words: string[][] = []
  for (const [index, name] of ['', 'second'].entries()) {
    const stack = await startStack()
    after(() => stack.close())
    stack.addDevice(euiOf(index + 1), `Theirs ${index}`)
    const place = ['--server', stack.account.cluster ?? '', '--application', 'fleet-app']
    const settings = { SOURCE_API_KEY: stack.store.apiKey }
    words[index] = ['thethingsstack', ...place, '--connect', '--type', '16']
    if (name) {
      const refused = await run(words[index] ?? [], settings)
      assert.match(refused.error, /another application or cluster/)
      words[index].push('--account', name)
    }
    assert.equal((await run([...words[index], '--dry-run'], settings)).totals.planned, 1)
    assert.equal(stack.store.webhooks.size, 0)
    const end = await run(words[index], settings)
    assert.equal(end.totals.done, 1, JSON.stringify(end))
    assert.equal(stack.store.webhooks.size, 1)
    assert.equal((await run(words[index], settings)).totals.unchanged, 1)
  }
  const devices: { account_name?: string }[] = await listDevices(owner)
  assert.deepEqual(
    devices.map(({ account_name }) => account_name),
    [undefined, 'second'],
  )
  const both = await run([...(words[0] ?? []), '--application', 'other-app'])
  assert.match(both.error, /is one application/)
})

const probe = `function decodeUplink(input) { return { data: { raw: input.bytes.length } } }`

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

test('devices of one ChirpStack are registered at another, or recorded alone', async () => {
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

test('a CSV file of any program comes in, row by row', async () => {
  const { owner, run } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const path = join(folder, 'devices.csv')
  const lines = [
    '\ufeffDevEUI;Name;AppKey;AppEUI;Model;Group;Notes',
    `00-AA-00-00-00-00-00-01;"Hall; north";${keyOf(1)};;LoRa Door/Window;House / Hall;"two\nlines"`,
    `00AA000000000002;Stairs;${keyOf(2)};00aa00000000ff01;99999;;`,
    `00AA00000000000;Short;${keyOf(3)};;16;;`,
    `00AA000000000001;Again;${keyOf(4)};;16;;`,
  ]
  await writeFile(path, lines.join('\r\n'))
  const words = ['csv', path, '--network', 'chirpstack']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.totals.failed], [1, 3])
  const end = await run(words)
  assert.deepEqual(
    end.rows.map(({ message }: { message: string }) => message),
    [
      'Device added successfully',
      'No device type is given for "99999": --type "99999=TYPE" names one.',
      'The DevEUI must have 16 hexadecimal digits.',
      'Row 1 has the same DevEUI.',
    ],
  )
  const [hall] = await listDevices(owner)
  assert.deepEqual([hall.device_name, hall.groups[0].name], ['Hall; north', 'Hall'])
  assert.equal(hall.extra_notes, 'two\nlines')
  const names = await run(['csv', path, '--network', 'nowhere', '--type', '16'])
  assert.equal(names.totals.unchanged, 1)
  await writeFile(path, 'name,key\nHall,1')
  assert.match((await run(['csv', path])).error, /has no column for the DevEUI/)
})

test('gateways come from ChirpStack with their names and places, and stay as they are there', async () => {
  const { owner, simulator, run } = await startFleet()
  addOwned(simulator, 1, { application: simulator.applicationId })
  addOwnedGateway(simulator, 1, { name: 'Roof', position: [48.137, 11.575] })
  addOwnedGateway(simulator, 2, { name: 'Yard' })
  addOwnedGateway({ ...simulator, tenantId: '00000000-0000-4000-a000-0000000000ff' }, 3)
  const from = ['chirpstack', '--server', simulator.server, '--tenant', simulator.tenantId]
  const words = [...from, '--connect', '--type', '16']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.totals.planned, dry.gateway_totals.planned], [1, 2], JSON.stringify(dry))
  const without = await run([...words, '--no-gateways'])
  assert.deepEqual([without.totals.done, without.gateway_totals.rows], [1, 0])
  assert.deepEqual(await listGateways(owner), [])

  const calls = recordCalls(simulator)
  const path = join(folder, 'gateways.csv')
  const end = await run([...words, '--report', path])
  assert.deepEqual(messagesOf(end), ['Gateway adopted.', 'Gateway adopted.'])
  assert.ok(end.lines.includes('2 gateways: 2 done.'), JSON.stringify(end.lines))
  assert.match(await readFile(path, 'utf8'), /adopt,done,Gateway adopted\.,gateway,00BB0{11}1,Roof/)
  const [roof, yard] = await listGateways(owner)
  assert.deepEqual([roof.name, roof.status, yard.name], ['Roof', 'active', 'Yard'])
  assert.deepEqual(
    [roof.position, yard.position],
    [{ lat: 48.137, lng: 11.575, source: 'own' }, null],
  )
  assert.deepEqual(calls, [])
  assert.equal(
    simulator.store.gateways.get(roof.gateway_eui.toLowerCase())?.getStatsInterval(),
    300,
  )

  addOwnedGateway(simulator, 2, { name: 'Yard', position: [-33.9, 18.4] })
  addOwnedGateway(simulator, 4)
  const { text } = await makeKey(
    service,
    { permissions: ['manage_devices', 'manage_account'] },
    owner,
  )
  const denied = await run([...from, '--type', '16'], { API_TOKEN: text })
  assert.equal(denied.error, undefined)
  assert.deepEqual(denied.gateway_totals, { rows: 3, done: 0, planned: 0, unchanged: 1, failed: 2 })
  assert.match(messagesOf(denied)[1] ?? '', /manage_gateways/)
  assert.match(messagesOf(denied)[2] ?? '', /manage_gateways/)
  const next = await run([...words, '--dry-run'])
  assert.deepEqual(messagesOf(next), [
    'Already here.',
    'Already here; to be put on the map.',
    'To be adopted: it stays at its network.',
  ])
  assert.deepEqual(messagesOf(await run(words)), [
    'Already here.',
    'Already here; put on the map.',
    'Gateway adopted.',
  ])
  const again = await run(words)
  assert.equal(again.gateway_totals.unchanged, 3)
  const alone = await run([...words, '--as', 'record'])
  assert.equal(alone.gateway_totals.unchanged, 3)

  simulator.faults.refusals['/api.GatewayService/List'] = () => ({
    code: status.PERMISSION_DENIED,
    message: 'no gateways for this key',
  })
  const blind = await run([...from, '--type', '16'])
  assert.match(blind.gateways_left_out, /no gateways for this key/)
  assert.deepEqual([blind.totals.unchanged, blind.gateway_totals.rows], [1, 0])
})

test('a thousand gateways of one name come in by pages, each once', async () => {
  const { owner, simulator, run } = await startFleet()
  await connect(service, simulator, {}, owner)
  for (let number = 1; number <= 1100; number += 1) {
    addOwnedGateway(simulator, number, { name: 'Mast' })
  }
  const end = await run(['chirpstack', '--type', '16'])
  assert.deepEqual(end.gateway_totals, {
    rows: 1100,
    done: 1100,
    planned: 0,
    unchanged: 0,
    failed: 0,
  })
  assert.equal((await run(['chirpstack', '--type', '16'])).gateway_totals.unchanged, 1100)
})

test('gateways of one ChirpStack are registered at another, which says what it refuses', async () => {
  const { owner, simulator: from, run } = await startFleet()
  const to = await startChirpStack({ after })
  await connect(service, to, {}, owner)
  for (const number of [1, 2]) addOwnedGateway(from, number, { position: [1, 2] })
  addOwnedGateway({ store: to.store, tenantId: '00000000-0000-4000-a000-0000000000ff' }, 2)
  addOwnedGateway(from, 3, { name: 'M'.repeat(101) })
  const words = ['chirpstack', '--server', from.server, '--tenant', from.tenantId]
  const register = [...words, '--as', 'register', '--network', 'chirpstack']
  const dry = await run([...register, '--dry-run'])
  assert.deepEqual([dry.gateway_totals.planned, dry.gateway_totals.failed], [2, 1])
  assert.equal(to.store.gateways.size, 1)
  const end = await run(register)
  assert.deepEqual([end.gateway_totals.done, end.gateway_totals.failed], [1, 2])
  const [created, refused, long] = messagesOf(end)
  assert.equal(created, 'Gateway has been created successfully.')
  assert.match(refused ?? '', /^Registered here, but refused by its network: .*another tenant/)
  assert.match(long ?? '', /^The gateway name may not be greater than 100 characters/)
  assert.equal(to.store.gateways.get(gatewayEuiOf(1).toLowerCase())?.getName(), 'Mast 1')
  const again = await run(register)
  assert.match(
    messagesOf(again)[1] ?? '',
    /^Already here, but refused by its network: .*another tenant/,
  )
  assert.deepEqual([again.gateway_totals.unchanged, again.gateway_totals.failed], [1, 2])
  const gateways: { name: string; position: object | null }[] = await listGateways(owner)
  const first = gateways.find(({ name }) => name === 'Mast 1')
  assert.deepEqual(first?.position, { lat: 1, lng: 2, source: 'own' })
})

test('a CSV file of gateways comes in, each at its network and account', async () => {
  const { owner, run, simulator: first } = await startFleet()
  const north = await startChirpStack({ after })
  const stack = await startStack()
  after(() => stack.close())
  await connect(service, first, {}, owner)
  await connectAccount(service, 'chirpstack', { ...north.account, account_name: 'north' }, owner)
  await connectAccount(service, 'thethingsnetwork', stack.account, owner)
  const path = join(folder, 'masts.csv')
  const lines = [
    'Gateway EUI;Name;Latitude;Longitude;Network;Account;Frequency plan;IP',
    '00-BB-00-00-00-00-00-01;Roof;48,137;11,575;;;;',
    '00BB000000000002;Yard;;;;north;;',
    '00BB000000000003;Hall;1;2;thethingsnetwork;;EU_863_870_TTN;',
    '00BB000000000004;Shed;91;2;;;;',
    '00BB000000000005;Shed;;;;south;;',
    '00BB000000000006;Shed;;;thethingsnetwork;;;',
    '00BB000000000001;Again;;;;;;',
    '00BB;Short;;;;;;',
  ]
  await writeFile(path, lines.join('\r\n'))
  const words = ['csv', path, '--network', 'chirpstack']
  const dry = await run([...words, '--dry-run'])
  assert.deepEqual([dry.gateway_totals.planned, dry.gateway_totals.failed], [3, 5])
  assert.deepEqual(messagesOf(dry).slice(3), [
    'The latitude must be from -90 to 90, and the longitude from -180 to 180 degrees.',
    'The organization has no account "south" at chirpstack.',
    'The frequency plan field is required.',
    'Row 1 has the same gateway EUI.',
    'The gateway EUI must have 16 hexadecimal digits.',
  ])
  const end = await run(words)
  assert.deepEqual(
    [end.gateway_totals.done, end.gateway_totals.failed],
    [3, 5],
    JSON.stringify(end),
  )
  const sizes = [first, north, stack].map(({ store }) => store.gateways.size)
  assert.deepEqual(sizes, [1, 1, 1])
  const [hall] = [...stack.store.gateways.values()]
  assert.deepEqual(hall?.record.frequency_plan_ids, ['EU_863_870_TTN'])
  const places = (await listGateways(owner)).map(({ position }: { position: object }) => position)
  assert.equal(places.filter((position: object | null) => position !== null).length, 2)
  assert.equal((await run(words)).gateway_totals.unchanged, 3)

  await writeFile(path, 'eui,name\n00BB000000000009,Mast')
  assert.match((await run(['csv', path, '--network', 'chirpstack'])).rows[0].message, /AppKey/)
  const named = await run(['csv', path, '--network', 'chirpstack', '--gateways'])
  assert.equal(named.gateway_totals.done, 1)
  await writeFile(path, 'mast,name\n1,2')
  assert.match((await run(['csv', path, '--gateways'])).error, /no column for the EUI of gateways/)
})

test('gateways come from The Things Stack as far as the key may see them', async () => {
  const { owner, run } = await startFleet()
  const stack = await startStack()
  after(() => stack.close())
  await connectAccount(service, 'thethingsnetwork', stack.account, owner)
  const own = (number: number, more: object) => {
    const ids = { gateway_id: `mast-${number}`, eui: gatewayEuiOf(number) }
    const record = { ids, name: `Mast ${number}`, frequency_plan_ids: ['EU_863_870_TTN'], ...more }
    return { gatewayId: ids.gateway_id, owner: stack.store.userId, record, isDeleted: false }
  }
  const antennas = [{ location: { latitude: 48.1, longitude: 11.5, source: 'SOURCE_REGISTRY' } }]
  const owned = [
    own(1, { antennas }),
    own(2, { antennas, location_public: true }),
    own(3, { ids: { gateway_id: 'mast-3' } }),
  ]
  for (const gateway of owned) stack.store.gateways.set(gateway.gatewayId, gateway)
  const settings = { SOURCE_API_KEY: stack.store.apiKey }
  const words = ['thethingsstack', '--type', '16']
  stack.store.denied = ['RIGHT_GATEWAY_INFO']
  const shy = await run(words, settings)
  assert.deepEqual(messagesOf(shy), [
    'Gateway adopted.',
    'Gateway adopted.',
    'The gateway "mast-3" has no EUI.',
  ])
  const [hidden, shown] = await listGateways(owner)
  assert.deepEqual([hidden.position, shown.position.lat], [null, 48.1])
  stack.store.denied = []
  assert.equal(messagesOf(await run(words, settings))[0], 'Already here; put on the map.')

  stack.store.denied = ['RIGHT_USER_GATEWAYS_LIST']
  const blind = await run(words, settings)
  assert.match(blind.gateways_left_out, /RIGHT_USER_GATEWAYS_LIST|insufficient rights/)
  assert.equal(blind.gateway_totals.rows, 0)
  stack.store.denied = []

  const path = join(folder, 'gateways.json')
  await writeFile(
    path,
    [own(1, {}), own(9, { antennas })].map(({ record }) => JSON.stringify(record)).join('\n'),
  )
  const file = await run(['thethingsstack', '--file', path], settings)
  assert.deepEqual(messagesOf(file), ['Already here.', 'Gateway has been created successfully.'])
  const created = stack.store.gateways.get(`eui-${gatewayEuiOf(9).toLowerCase()}`)
  assert.equal(created?.record.name, 'Mast 9')
  const elsewhere = await run(
    ['thethingsstack', '--file', path, '--network', 'chirpstack'],
    settings,
  )
  assert.match(
    messagesOf(elsewhere)[0] ?? '',
    /^Registered here, and waits: The organization has no account/,
  )
})

test('a fleet comes from The Things Stack, by its API or by an exported file', async () => {
  const { owner, run } = await startFleet()
  const stack = await startStack()
  after(() => stack.close())
  for (const number of [1, 2]) stack.addDevice(euiOf(number), `Theirs ${number}`)
  stack.changeKey?.(euiOf(1), keyOf(1).toUpperCase())
  const [probe1] = [...stack.store.devices.values()]
  Object.assign(probe1?.application ?? {}, {
    formatters: { up_formatter: 'FORMATTER_JAVASCRIPT', up_formatter_parameter: probe },
  })
  Object.assign(probe1?.identity ?? {}, { version_ids: { brand_id: 'acme', model_id: 'probe' } })
  await connectAccount(service, 'thethingsnetwork', stack.account, owner)
  const settings = { SOURCE_API_KEY: stack.store.apiKey }
  const words = ['thethingsstack', '--make-types', '--type', 'fleet-app=16']
  const dry = await run([...words, '--dry-run'], settings)
  assert.deepEqual([dry.error, dry.totals?.planned], [undefined, 2])
  const end = await run(words, settings)
  assert.equal(end.totals.done, 2, JSON.stringify(end.rows))
  const devices = await listDevices(owner)
  assert.deepEqual(
    devices.map((device: Record<string, { name: string }>) => device.device_type?.name).sort(),
    ['RBS301-DWS - LoRa Door/Window', 'acme probe'],
  )
  assert.equal(devices[0].groups[0].name, 'fleet-app')

  const path = join(folder, 'devices.json')
  const exported = (number: number, changes: object) => ({
    ids: { device_id: `d-${number}`, dev_eui: euiOf(number), join_eui: '00AA00000000FF01' },
    lorawan_version: 'MAC_V1_0_3',
    frequency_plan_id: 'EU_863_870_TTN',
    supports_join: true,
    root_keys: { app_key: { key: keyOf(number) } },
    ...changes,
  })
  const all = [
    exported(1, {}),
    exported(3, { name: 'A "name" with {braces}', description: 'x' }),
    exported(4, { supports_join: false, root_keys: null }),
    exported(5, { lorawan_version: '1.1.0' }),
  ]
  await writeFile(path, all.map((device) => JSON.stringify(device, null, 2)).join('\n'))
  const file = await run(['thethingsstack', '--file', path, '--type', '16', '--below', 'House'])
  assert.deepEqual(
    file.rows.map(({ message }: { message: string }) => message),
    [
      'Already here; put into its group.',
      'Device added successfully',
      'The device does not join: it is set up for ABP.',
      'The device is of LoRaWAN 1.1, which has two root keys.',
    ],
  )
  await service.services.provisioner.idle()
  assert.equal(stack.findDevice(euiOf(3))?.name, 'A "name" with {braces}')
  await writeFile(path, `${JSON.stringify(all[0])}\n{"ids": `)
  const cut = await run(['thethingsstack', '--file', path])
  assert.equal(cut.error, 'The file ends in the middle of a device.')
})

test("ThingPark's file of devices comes in line by line", async () => {
  const { owner, run } = await startFleet()
  const path = join(folder, 'thingpark.csv')
  const lines = [
    `CREATE_OTAA,00-AA-00-00-00-00-00-01,,ACME/Probe-1.0,00AA00000000FF01,${keyOf(1)},,,,,"Hall, north"`,
    '#CREATE_OTAA,00-AA-00-00-00-00-00-02',
    'CREATE_ABP,00AA000000000003,01020304,ACME/Probe-1.0,,,,,,,Stairs',
    'DELETE,00AA000000000004',
  ]
  await writeFile(path, lines.join('\r\n'))
  const words = ['thingpark', path, '--type', 'ACME/Probe-1.0=16', '--as', 'record']
  const end = await run(words)
  assert.deepEqual(
    [end.totals.rows, end.totals.done, end.totals.failed],
    [2, 1, 1],
    JSON.stringify(end),
  )
  const [hall] = await listDevices(owner)
  assert.deepEqual([hall.device_name, hall.network.key], ['Hall, north', 'actility'])
  assert.equal(end.rows[1].message, 'The device does not join: its line is CREATE_ABP.')
})

test('what Ctrl-C leaves undone is done by the next run', async () => {
  const { owner, settings } = await startFleet()
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  const path = join(folder, 'many.csv')
  const line = (index: number) => `${euiOf(0x1000 + index)},D ${index},${keyOf(index)},House`
  const lines = Array.from({ length: 3000 }, (_, index) => line(index))
  await writeFile(path, ['dev_eui,name,app_key,group', ...lines].join('\n'))
  const words = ['import', 'csv', path, '--network', 'chirpstack', '--type', '16', '--as', 'record']
  const child = startCommand([...words, '--url', service.services.publicUrl], settings)
  await until(async () => (await listDevices(owner)).length > 0, 'the first devices are there')
  child.kill('SIGINT')
  const { code } = await endOf(child)
  assert.ok(code === 130 || code === 0, `${code}`)
  await service.services.jobRunner.idle()
  const again = [...words, '--url', service.services.publicUrl, '--json']
  const { output, errors } = await runCommand(again, settings)
  const end = JSON.parse(output)
  assert.deepEqual([errors, end.rows.length], ['', 3000])
  const { rows, done, unchanged, failed } = end.totals
  assert.deepEqual([rows, done + unchanged, failed], [3000, 3000, 0])
  const { body } = await service.call('GET', '/v1/fleet/devices?limit=1', { as: owner })
  assert.equal(body.total, 3000)
  const groups = await service.call('GET', '/v1/fleet/groups', { as: owner })
  assert.equal(groups.body.data[0].own.devices, 3000)
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

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { startSimulator as startStack } from '../../../simulators/thethingsnetwork/simulator.ts'
import { makeKey } from '../../../test/api-keys.ts'
import { connectAccount, gatewayEuiOf } from '../../../test/fleet.ts'
import { addOwned, addOwnedGateway, startImports } from '../../../test/imports.ts'
import { connect, recordCalls, startChirpStack } from '../../../test/network.ts'

/** Gateways that come from elsewhere. */

const { service, folder, startFleet, listGateways } = await startImports()

const messagesOf = ({ rows }: { rows: { kind: string; message: string }[] }) =>
  rows.flatMap(({ kind, message }) => (kind === 'gateway' ? message : []))

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
    'Already here; would be put on the map.',
    'Would be adopted: it stays at its network.',
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
    'Gateway EUI;Name;Latitude;Longitude;Network;Account;Frequency plan;IP;tag:owner',
    '00-BB-00-00-00-00-00-01;Roof;48,137;11,575;;;;;city',
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
    'The latitude must be from -90 to 90, the longitude from -180 to 180 degrees, and the altitude in metres.',
    'The organization has no account "south" at chirpstack.',
    'The frequency plan field is required.',
    'Row 2 has the same gateway EUI.',
    'The gateway EUI has 4 digits instead of 16.',
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
  const tags = (await listGateways(owner)).map((one: { tags: object }) => one.tags)
  assert.ok(tags.some((of: { owner?: string }) => of.owner === 'city'))
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
    /^Registered here, pending: The organization has no account/,
  )
})

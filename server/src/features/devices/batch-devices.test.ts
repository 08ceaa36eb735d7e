import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Login, startTestService } from '../../test-service.ts'
import { planSchema } from '../billing/plans.ts'
import { addGroup } from '../groups/test-groups.ts'
import { foundOrganization, joinMember } from '../organizations/test-members.ts'
import { addDevice, deviceKey, doorType, euiOf, readDevice } from './test-devices.ts'

const service = await startTestService({ after })
const { db } = service.services
const url = '/v1/batch-device-requests'
const failed = 'Device registration failed due to the validation errors.'

function creation(number: number, changes: object = {}, data: object = {}) {
  return {
    action: 'create',
    deviceName: `Device ${number}`,
    deviceId: euiOf(number),
    provisioningData: {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey,
      deviceTypeId: doorType.id,
      gatewayId: null,
      joinEui: '00BB000000000001',
      appRegion: null,
      frequencyPlan: null,
      ...data,
    },
    ...changes,
  }
}

function update(number: number, deviceName: string) {
  return { action: 'update', deviceId: euiOf(number), deviceName }
}

function deletion(number: number) {
  return { action: 'delete', deviceId: euiOf(number) }
}

async function send(devices: unknown, as: Login = service.owner) {
  const answer = await service.call('POST', url, { as, body: { devices } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

function done(verb: 'added' | 'updated' | 'deleted', number: number) {
  return { status: true, message: `Device ${verb} successfully`, deviceId: euiOf(number) }
}

function notFound(number: number) {
  return { status: false, message: 'device not found', deviceId: euiOf(number) }
}

function refused(...errors: string[]) {
  return { status: false, message: failed, deviceId: null, errors }
}

const taken = refused('The device EUI has already been taken.')
const spent = refused('The device limit of your account has been reached.')

async function outbox(numbers: number[]): Promise<[string, string][]> {
  const rows = await db.query<{ eui: string; action: string }>(
    'select eui, action from provisioning where eui = any($1) order by id',
    [numbers.map(euiOf)],
  )
  return rows.map(({ eui, action }) => [eui, action])
}

test('creates, updates and deletes, with one entry per item in order', async () => {
  for (const number of [1, 2]) await addDevice(service, number)
  const data = await send([
    deletion(1),
    creation(3),
    update(2, 'Gate'),
    deletion(4),
    creation(5, { deviceId: 'short' }),
    update(6, 'None'),
  ])
  assert.deepEqual(data, [
    done('deleted', 1),
    done('added', 3),
    done('updated', 2),
    notFound(4),
    refused('The device EUI must be 16 characters.'),
    notFound(6),
  ])
  assert.equal((await readDevice(service, 2)).device_name, 'Gate')
  assert.equal((await service.call('GET', `/v1/devices/${euiOf(1)}`)).status, 404)
  const made = await readDevice(service, 3)
  assert.equal(made.device_name, 'Device 3')
  assert.equal(made.deviceTypeId, doorType.id)
  assert.equal(made.device_register_status, 'pending')
  assert.equal(made.user.identity.email, 'owner@example.test')
})

test('keeps all that was said of a device', async () => {
  await send([
    creation(10, { deviceName: 'Café 門' }, { appRegion: 'EU868', frequencyPlan: 'EU_863_870' }),
  ])
  const rows = await db.query(
    `select name, join_eui, app_region, frequency_plan, network, register_method, is_console_only
     from devices where eui = $1`,
    [euiOf(10)],
  )
  assert.deepEqual(rows, [
    {
      name: 'Café 門',
      join_eui: '00BB000000000001',
      app_region: 'EU868',
      frequency_plan: 'EU_863_870',
      network: 'chirpstack',
      register_method: 'vendor',
      is_console_only: false,
    },
  ])
})

test('takes the action and the register method in any case', async () => {
  const data = await send([
    creation(11, { action: 'CREATE' }, { registerMethod: 'Vendor' }),
    { ...update(11, 'Gate'), action: 'Update' },
    { ...deletion(11), action: 'deLete' },
  ])
  assert.deepEqual(data, [done('added', 11), done('updated', 11), done('deleted', 11)])
})

test('takes the network by key or alias, not by id', async () => {
  const words = ['chirpstack', 'network_key_9', '<network_key_9>', 'loriot']
  const data = await send(words.map((network, index) => creation(20 + index, {}, { network })))
  assert.deepEqual(
    data,
    words.map((_, index) => done('added', 20 + index)),
  )
  const unknown = refused('The selected network is invalid.')
  for (const network of ['nowhere', 'other', 'aws_iot_core_lora', '10']) {
    assert.deepEqual(await send([creation(24, {}, { network })]), [unknown], network)
  }
  const [byId] = await send([creation(24, {}, { network: 10 })])
  assert.deepEqual(byId, refused('The network must be a string.'))
})

test('returns EUIs as they were registered and finds them in any case', async () => {
  const deviceId = '00aA0000000000Fe'
  const [made] = await send([creation(0xfe, { deviceId })])
  assert.equal(made.deviceId, deviceId)
  const [renamed, missing] = await send([update(0xfe, 'Gate'), { ...deletion(0xff) }])
  assert.equal(renamed.deviceId, deviceId)
  assert.deepEqual(missing, notFound(0xff))
})

test('registers an EUI once, also within the batch: the first wins', async () => {
  const other = await foundOrganization(service, 'taken@example.test')
  await addDevice(service, 30, {}, other)
  await addDevice(service, 31)
  const lower = creation(32, { deviceId: euiOf(32).toLowerCase(), deviceName: 'Second' })
  const invalid = creation(33, { deviceName: '' })
  const data = await send([creation(30), creation(31), creation(32), lower, invalid, creation(33)])
  assert.deepEqual(data, [
    taken,
    taken,
    done('added', 32),
    taken,
    refused('The device name field is required.'),
    done('added', 33),
  ])
  assert.equal((await readDevice(service, 32)).device_name, 'Device 32')
})

test('leaves the devices of others alone', async () => {
  const other = await foundOrganization(service, 'alone@example.test')
  await addDevice(service, 40, {}, other)
  assert.deepEqual(await send([update(40, 'Mine'), deletion(40)]), [notFound(40), notFound(40)])
  assert.equal((await readDevice(service, 40, other)).device_name, 'Device 40')
})

test('answers each item in the world that those before it leave behind', async () => {
  await addDevice(service, 50)
  const data = await send([
    creation(50),
    deletion(50),
    update(50, 'Gone'),
    creation(50),
    update(50, 'Again'),
    creation(51),
    deletion(51),
    deletion(51),
  ])
  assert.deepEqual(data, [
    taken,
    done('deleted', 50),
    notFound(50),
    done('added', 50),
    done('updated', 50),
    done('added', 51),
    done('deleted', 51),
    notFound(51),
  ])
  assert.equal((await readDevice(service, 50)).device_name, 'Again')
  assert.deepEqual(await outbox([50, 51]), [[euiOf(50), 'add']])
})

test('reserves the quota for the batch: what is deleted before is free again', async () => {
  const owner = await foundOrganization(service, 'quota@example.test')
  await db.query('update organizations set device_limit = 2 where id = $1', [owner.organizationId])
  const first = await send([creation(60), creation(61), creation(62)], owner)
  assert.deepEqual(first, [done('added', 60), done('added', 61), spent])
  const second = await send([creation(62), deletion(60), creation(62), creation(63)], owner)
  assert.deepEqual(second, [spent, done('deleted', 60), done('added', 62), spent])
  await db.query('update organizations set device_limit = 0 where id = $1', [owner.organizationId])
  assert.deepEqual(await send([deletion(61), creation(61)], owner), [done('deleted', 61), spent])
  const list = await service.call('GET', '/v1/devices/', { as: owner })
  assert.equal(list.body.meta.total, 1)
})

test('tells the network what it must hear, and no more', async () => {
  await addDevice(service, 70)
  await addDevice(service, 71)
  await addDevice(service, 72)
  const status = (value: string, number: number) =>
    db.query('update devices set register_status = $1 where eui = $2', [value, euiOf(number)])
  await status('active', 70)
  await status('register_error', 71)
  await db.query('delete from provisioning where eui = any($1)', [[70, 71].map(euiOf)])
  await send([
    update(70, 'A'),
    update(71, 'B'),
    deletion(72),
    creation(73, {}, { consoleOnly: true }),
    creation(74),
    update(73, 'C'),
  ])
  assert.deepEqual(await outbox([70, 71, 72, 73, 74]), [
    [euiOf(70), 'rename'],
    [euiOf(71), 'add'],
    [euiOf(74), 'add'],
  ])
  assert.equal((await readDevice(service, 73)).device_register_status, 'active')
  await send([deletion(70), creation(70), deletion(71), deletion(73)])
  assert.deepEqual(await outbox([70, 71, 73]), [
    [euiOf(70), 'remove'],
    [euiOf(71), 'remove'],
    [euiOf(70), 'add'],
  ])
})

async function groupsOf(number: number, as: Login = service.owner): Promise<string[]> {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}?version=lite`, { as })
  return answer.body.data.groups.map(({ groupName }: { groupName: string }) => groupName)
}

test('an update sets the groups of a device, and leaves them where none are said', async () => {
  const [yard, house] = [await addGroup(service, 'Yard'), await addGroup(service, 'House')]
  await addDevice(service, 100)
  const named = (groups?: unknown) => ({ ...update(100, 'Gate'), groups })
  const set = async (...groups: unknown[]) => send(groups.map((each) => named(each)))
  assert.deepEqual(await set([yard, house, yard]), [done('updated', 100)])
  assert.deepEqual(await groupsOf(100), ['Yard', 'House'])
  await set([house])
  await set(undefined, null)
  assert.deepEqual(await groupsOf(100), ['House'])
  assert.deepEqual(await set([yard, 999, 998]), [refused('The groups do not exist: 999, 998.')])
  assert.deepEqual(await groupsOf(100), ['House'])
  await set([])
  assert.deepEqual(await groupsOf(100), [])
  const both = [creation(101), { ...update(101, 'Gate'), groups: [yard] }]
  assert.deepEqual(await send(both), [done('added', 101), done('updated', 101)])
  assert.deepEqual(await groupsOf(101), ['Yard'])
})

test('an update finds no groups of others, and needs manage_groups to set any', async () => {
  const other = await foundOrganization(service, 'groups@example.test')
  const foreign = await addGroup(service, 'Foreign', {}, other)
  await addDevice(service, 102)
  const item = { ...update(102, 'Gate'), groups: [foreign] }
  assert.deepEqual(await send([item]), [refused(`The groups do not exist: ${foreign}.`)])
  const member = await joinMember(service, 'devices@example.test', ['manage_devices'])
  assert.deepEqual(await send([{ ...item, groups: [] }, update(102, 'Door')], member), [
    refused('You do not have the permission manage_groups.'),
    done('updated', 102),
  ])
})

const missing = [
  'The device name field is required.',
  'The device EUI field is required.',
  'The network field is required.',
  'The register method field is required.',
  'The device key field is required.',
  'The device type field is required.',
  'The join EUI field is required.',
]
const invalid: [string, unknown, string[]][] = [
  ['a creation without anything', { action: 'create' }, missing],
  [
    'a creation whose provisioning data is empty',
    { action: 'create', provisioningData: {} },
    missing,
  ],
  [
    'provisioning data that is no object',
    creation(80, { provisioningData: 'x' }),
    ['The provisioning data must be an object.'],
  ],
  ['a short key', creation(80, {}, { deviceKey: 'AB' }), ['The device key must be 32 characters.']],
  [
    'a key that is not hexadecimal',
    creation(80, {}, { deviceKey: 'x'.repeat(32) }),
    ['The device key must contain hexadecimal characters only.'],
  ],
  [
    'an EUI that is not hexadecimal',
    creation(80, { deviceId: 'x'.repeat(16) }),
    ['The device EUI must contain hexadecimal characters only.'],
  ],
  [
    'a join EUI that is too long',
    creation(80, {}, { joinEui: '0'.repeat(17) }),
    ['The join EUI must be 16 characters.'],
  ],
  [
    'the register method of POST /devices alone',
    creation(80, {}, { registerMethod: 'user_account' }),
    ['The register method must be one of: vendor.'],
  ],
  [
    'an unknown type, region and network at once',
    creation(80, {}, { deviceTypeId: 0, appRegion: 'EU999', network: 'x' }),
    [
      'The selected network is invalid.',
      'The selected device type is invalid.',
      'The selected app region is invalid.',
    ],
  ],
  [
    'what can be read when other fields cannot',
    creation(80, { deviceName: 1 }, { deviceTypeId: 0 }),
    ['The device name must be a string.', 'The selected device type is invalid.'],
  ],
  [
    'consoleOnly that is no boolean',
    creation(80, {}, { consoleOnly: 'yes' }),
    ['The console only must be true or false.'],
  ],
  [
    'an update without anything',
    { action: 'update' },
    ['The device EUI field is required.', 'The device name field is required.'],
  ],
  ['groups that are no array', { ...update(80, 'A'), groups: 1 }, ['The groups must be an array.']],
  [
    'a group that is no id',
    { ...update(80, 'A'), groups: ['1'] },
    ['The group id must be an integer.'],
  ],
  ['a deletion without anything', { action: 'delete' }, ['The device EUI field is required.']],
  ['an item without an action', {}, ['The action field is required.']],
  [
    'an unknown action',
    { action: 'rename' },
    ['The action must be one of: create, update, delete.'],
  ],
  ['a null', null, ['The item must be an object.']],
  ['an array', [], ['The item must be an object.']],
  ['a number', 1, ['The item must be an object.']],
]
for (const [name, item, errors] of invalid) {
  test(`complains about ${name}, and does the others`, async () => {
    const data = await send([creation(81), item, deletion(81)])
    assert.deepEqual(data, [done('added', 81), refused(...errors), done('deleted', 81)])
  })
}

test('takes up to 1,000 items', async () => {
  assert.deepEqual(await send([]), [])
  const items = Array.from({ length: 1001 }, (_, index) => creation(0x1000 + index))
  const data = await send(items.slice(1))
  assert.equal(data.length, 1000)
  assert.ok(data.every(({ status }: { status: boolean }) => status))
  const answer = await service.call('POST', url, { body: { devices: items } })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    devices: ['The devices may not have more than 1000 items.'],
  })
  const gone = await send(items.slice(1).map(({ deviceId }) => ({ action: 'delete', deviceId })))
  assert.ok(gone.every(({ status }: { status: boolean }) => status))
})

test('refuses what is no array', async () => {
  for (const devices of ['x', 1, {}, true]) {
    const answer = await service.call('POST', url, { body: { devices } })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { devices: ['The devices must be an array.'] })
  }
  for (const body of [{}, { devices: null }]) {
    const answer = await service.call('POST', url, { body })
    assert.deepEqual(answer.body.errors, { devices: ['The devices field is required.'] })
  }
})

test('of equal batches at once each device is made once, and the quota is exact', async () => {
  const owners = [
    await foundOrganization(service, 'first@example.test'),
    await foundOrganization(service, 'second@example.test'),
  ]
  const numbers = Array.from({ length: 40 }, (_, index) => 0x200 + index)
  const batches = [numbers, numbers.toReversed(), numbers, numbers.toReversed()]
  const answers = await Promise.all(
    batches.map((batch, index) =>
      send(
        batch.map((number) => creation(number)),
        owners[index % 2],
      ),
    ),
  )
  const made = answers.flat().filter(({ status }) => status)
  assert.equal(made.length, numbers.length)
  assert.equal(new Set(made.map(({ deviceId }) => deviceId)).size, numbers.length)
  const counts = await db.query(
    `select id from organizations
     where device_count <> (
       select count(*) from devices
       where organization_id = organizations.id and deleted_at is null
     )`,
  )
  assert.deepEqual(counts, [])
})

test('requires billing where registering alone does, item by item', async (t) => {
  const plan = planSchema.parse({ plan_code: 'a', name: 'A', networks: ['chirpstack'] })
  const paid = await startTestService(t, { billingPlans: [plan] })
  const post = (body: object) => paid.call('POST', url, { body })
  const loriot = creation(91, {}, { network: 'loriot' })
  const before = await post({ devices: [creation(90), loriot] })
  assert.deepEqual(before.body.data, [
    refused('Billing must be set up before a device can be registered on this network.'),
    done('added', 91),
  ])
  await paid.call('POST', '/v1/subscription', { body: { plan_code: 'a' } })
  assert.deepEqual((await post({ devices: [creation(90)] })).body.data, [done('added', 90)])
})

test('is repeated under an Idempotency-Key', async () => {
  const options = {
    body: { devices: [creation(95), creation(95)] },
    headers: { 'idempotency-key': 'batch' },
  }
  const first = await service.call('POST', url, options)
  assert.deepEqual(first.body.data, [done('added', 95), taken])
  assert.equal((await service.call('POST', url, options)).text, first.text)
})

test('needs manage_devices', async () => {
  const member = await joinMember(service, 'reader@example.test', ['manage_groups'])
  const body = { devices: [creation(99)] }
  assert.equal((await service.call('POST', url, { as: member, body })).status, 403)
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
})

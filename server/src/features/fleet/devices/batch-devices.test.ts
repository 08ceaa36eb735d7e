import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  creation,
  deletion,
  done,
  notFound,
  readOutbox,
  refused,
  sendBatch,
  taken,
  update,
} from '../../../../test/device-batches.ts'
import { addGroup, addLocalDevice, doorType, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** What the items of a batch do. */

const service = await startTestService({ after })
const send = (devices: unknown, as?: Login) => sendBatch(service, devices, as)
const { db } = service.services

// shows 4.11.2, 4.11.19-24, 7.2.1-3, 10.10.2
test('creates, updates and deletes, with one entry per item in order', async () => {
  for (const number of [1, 2]) await addLocalDevice(service, number)
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

// shows 4.11.12, 4.11.13
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

test('takes both register methods', async () => {
  const data = await send([creation(12, {}, { registerMethod: 'user_account' })])
  assert.equal(data[0].message, 'Device added successfully')
  const rows = await db.query('select register_method from devices where eui = $1', [euiOf(12)])
  assert.deepEqual(rows, [{ register_method: 'user_account' }])
})

// shows 10.6.2
test('takes the action and the register method in any case', async () => {
  const data = await send([
    creation(11, { action: 'CREATE' }, { registerMethod: 'Vendor' }),
    { ...update(11, 'Gate'), action: 'Update' },
    { ...deletion(11), action: 'deLete' },
  ])
  assert.deepEqual(data, [done('added', 11), done('updated', 11), done('deleted', 11)])
})

// shows 4.11.6, 10.2.13
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

// shows 10.1.6
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
  await addLocalDevice(service, 30, { registerMethod: 'vendor' }, other)
  await addLocalDevice(service, 33, {}, other)
  await addLocalDevice(service, 31)
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
  await addLocalDevice(service, 40, {}, other)
  assert.deepEqual(await send([update(40, 'Mine'), deletion(40)]), [notFound(40), notFound(40)])
  assert.equal((await readDevice(service, 40, other)).device_name, 'Device 40')
})

// shows 7.2.2
test('answers each item in the world that those before it leave behind', async () => {
  await addLocalDevice(service, 50)
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
  const calls = await readOutbox(service, [50, 51])
  assert.deepEqual(calls, [[euiOf(50), 'add']])
})

async function groupsOf(number: number, as: Login = service.owner): Promise<string[]> {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}?version=lite`, { as })
  return answer.body.data.groups.map(({ groupName }: { groupName: string }) => groupName)
}

// shows 4.11.17
test('an update sets the groups of a device, and leaves them where none are said', async () => {
  const [yard, house] = [await addGroup(service, 'Yard'), await addGroup(service, 'House')]
  await addLocalDevice(service, 100)
  const named = (groups?: unknown) => ({ ...update(100, 'Gate'), groups })
  const set = async (...groups: unknown[]) => send(groups.map((each) => named(each)))
  assert.deepEqual(await set([yard, house, yard]), [done('updated', 100)])
  assert.deepEqual(await groupsOf(100), ['Yard', 'House'])
  await set([house])
  await set(undefined, null)
  assert.deepEqual(await groupsOf(100), ['House'])
  assert.deepEqual(await set([yard, 999, 998]), [refused('The groups do not exist: 999, 998.')])
  assert.deepEqual(await groupsOf(100), ['House'])
  await set([yard, house], undefined)
  assert.deepEqual(await groupsOf(100), ['Yard', 'House'])
  await set([])
  assert.deepEqual(await groupsOf(100), [])
  const both = [creation(101), { ...update(101, 'Gate'), groups: [yard] }]
  assert.deepEqual(await send(both), [done('added', 101), done('updated', 101)])
  assert.deepEqual(await groupsOf(101), ['Yard'])
})

test('an update finds no groups of others, and needs manage_groups to set any', async () => {
  const other = await foundOrganization(service, 'groups@example.test')
  const foreign = await addGroup(service, 'Foreign', {}, other)
  await addLocalDevice(service, 102)
  const item = { ...update(102, 'Gate'), groups: [foreign] }
  assert.deepEqual(await send([item]), [refused(`The groups do not exist: ${foreign}.`)])
  const member = await joinMember(service, 'devices@example.test', ['manage_devices'])
  assert.deepEqual(await send([{ ...item, groups: [] }, update(102, 'Door')], member), [
    refused('You do not have the permission manage_groups.'),
    done('updated', 102),
  ])
})

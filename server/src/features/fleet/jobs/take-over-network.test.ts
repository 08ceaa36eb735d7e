import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { thingsNetworkFiles, zipOf } from '../../../../test/catalogues.ts'
import { doorType, euiOf } from '../../../../test/fleet.ts'
import { runJob, settle } from '../../../../test/jobs.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { plantStackDevice } from '../../../../test/network-connections.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  changeKeyAtNetwork,
  startFleet,
} from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { guessType } from '../../accounts/reconciliation/fleet-offer.ts'
import { quotaSpent } from '../devices/registration.ts'

const service = await startTestService({ after })
const path = '/v1/network-accounts/chirpstack/take-over'
const key = '00112233445566778899AABBCCDDEEFF'

const take = (as: Login, body: object) => service.call('POST', path, { as, body })

/** Takes over, and waits for the end: the counts, and status and message of each row by EUI. */
async function takeAll(as: Login, body: object) {
  const { status, body: answer, text } = await take(as, body)
  assert.equal(status, 200, text)
  const { state, total, done, failed, id } = await settle(service, answer.data.job.id, as)
  const { body: list } = await service.call('GET', `/v1/jobs/${id}/rows?limit=1000`, { as })
  const rows = list.data.map((row: { input: Record<string, string>; [key: string]: unknown }) => [
    row.input.device_id ?? row.input.gateway_id,
    row.status,
    row.message,
  ])
  return { counts: [state, total, done, failed], rows, id }
}

test('a look says what the network has, and changes nothing', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  addAtNetwork(simulator, 2, 'Attic')
  const { status, body } = await take(owner, { dry_run: true })
  assert.equal(status, 200, JSON.stringify(body))
  const { devices, applications, profiles, names, job } = body.data
  assert.deepEqual([devices, names, job], [2, ['Cellar', 'Attic'], null])
  assert.deepEqual(applications, [{ name: 'Simulated application', devices: 2 }])
  const profile = { id: simulator.deviceProfileId, name: 'Simulated device profile', devices: 2 }
  assert.deepEqual(profiles, [{ ...profile, device_type: null, model: null, codec: null }])
  const { body: list } = await service.call('GET', '/v1/devices', { as: owner })
  assert.equal(list.meta.total, 0)
})

test('devices come with name, type, group and key, and a second time nothing is left', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  addAtNetwork(simulator, 2, 'Attic')
  changeKeyAtNetwork(simulator, 1, key)
  const types = [{ profile: simulator.deviceProfileId, device_type: doorType.id }]
  const asked = { types, group_by: 'application' }
  const { counts, rows: results } = await takeAll(owner, asked)
  assert.deepEqual(counts, ['done', 2, 2, 0])
  assert.deepEqual(results, [
    [euiOf(1), 'done', 'Taken over.'],
    [euiOf(2), 'done', 'Taken over without its key, which the network does not tell.'],
  ])
  const { body: list } = await service.call('GET', '/v1/fleet/devices', { as: owner })
  assert.match(JSON.stringify(list.data), /Cellar.*Simulated application/)
  const rows = await service.services.db.query<{ sealed: boolean }>(
    `select sealed_key is not null as sealed from devices
     where organization_id = $1 and eui = $2`,
    [owner.organizationId, euiOf(1)],
  )
  assert.deepEqual(rows, [{ sealed: true }])
  const { body: again } = await take(owner, asked)
  assert.deepEqual([again.data.devices, again.data.job], [0, null])
})

test('single devices have a type of their own, and others stay where they are', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [1, 2, 3]) addAtNetwork(simulator, number, `Device ${number}`)
  addGatewayAtNetwork(simulator, 9, 'Roof')
  const devices = [
    { eui: euiOf(1), device_type: doorType.id },
    { eui: euiOf(2), device_type: 105 },
  ]
  const { counts } = await takeAll(owner, { devices, gateways: true })
  assert.deepEqual(counts, ['done', 3, 3, 0])
  const { body } = await service.call('GET', '/v1/fleet/devices', { as: owner })
  const types = body.data.map((each: { device_type: { id: number } }) => each.device_type.id)
  assert.deepEqual(types.sort(), [105, doorType.id])
  const gateways = await service.call('GET', '/v1/fleet/gateways', { as: owner })
  assert.equal(gateways.body.data[0].name, 'Roof')
})

const typesOf = ({ deviceProfileId: profile }: { deviceProfileId: string }) => [
  { profile, device_type: doorType.id },
]

test('a row says why its device was not taken over, and can be tried again', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [1, 2]) addAtNetwork(simulator, number, `Device ${number}`)
  const limit = (devices: number) =>
    service.services.db.query('update organizations set device_limit = $2 where id = $1', [
      owner.organizationId,
      devices,
    ])
  await limit(1)
  const { counts, rows, id } = await takeAll(owner, { types: typesOf(simulator) })
  assert.deepEqual(counts, ['done', 2, 1, 1])
  assert.deepEqual(rows[1], [euiOf(2), 'failed', quotaSpent])
  await limit(10)
  const body = { rows: [{ number: 2 }] }
  const repaired = await service.call('PATCH', `/v1/jobs/${id}/rows`, { as: owner, body })
  assert.equal(repaired.status, 200, repaired.text)
  const job = await settle(service, id, owner)
  assert.deepEqual([job.state, job.done, job.failed], ['done', 2, 0])
})

/** Time passes, and the runner looks again. */
async function pass(seconds: number, id: number, as: Login) {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
  service.services.jobRunner.wake()
  return settle(service, id, as)
}

test('an outage of a moment loses nothing: the job says that it waits, and goes on', async () => {
  const { owner, simulator } = await startFleet(service)
  const total = 450
  for (let number = 1; number <= total; number += 1) addAtNetwork(simulator, number, `D ${number}`)
  const { body } = await take(owner, { types: typesOf(simulator) })
  const { id } = body.data.job
  simulator.setAway(true)
  const waiting = await settle(service, id, owner)
  assert.ok(waiting.done < total && waiting.failed === 0 && waiting.message, waiting.state)
  simulator.setAway(false)
  // As an administrator does who has fixed it: the pause of an outage ends.
  await service.call('PUT', '/v1/network-accounts/chirpstack', {
    as: owner,
    body: simulator.account,
  })
  const job = await pass(20, id, owner)
  assert.deepEqual([job.state, job.done, job.message], ['done', total, null])
  const { body: list } = await service.call('GET', '/v1/devices', { as: owner })
  assert.equal(list.meta.total, total)
})

test('a network that always asks to slow down holds up no other job, and ends its own', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [1, 2]) addAtNetwork(simulator, number, `Device ${number}`)
  const refusal = { code: status.RESOURCE_EXHAUSTED, message: 'slow down' }
  let calls = 0
  let most = Number.POSITIVE_INFINITY
  simulator.faults.refusals = {
    '/api.DeviceService/List': () => {
      calls += 1
      return calls > most ? refusal : undefined
    },
  }
  await take(owner, { dry_run: true })
  // The request lists once more, and its job never.
  most = 2 * calls
  const { body } = await take(owner, { types: typesOf(simulator) })
  const { id } = body.data.job
  const waiting = await settle(service, id, owner)
  assert.deepEqual([waiting.failed, typeof waiting.message], [0, 'string'], waiting.state)
  const other = { kind: 'rename', rows: [{ device_id: euiOf(7), device_name: 'Loft' }] }
  assert.equal((await runJob(service, other, owner)).state, 'done')
  assert.equal((await pass(300, id, owner)).failed, 0)
  const job = await pass(400, id, owner)
  assert.deepEqual([job.state, job.done, job.failed], ['done', 0, 2])
})

test('where only single devices are out of reach, no device comes without its key', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  changeKeyAtNetwork(simulator, 1, key)
  const refusal = { code: status.UNAVAILABLE, message: 'busy' }
  simulator.faults.refusals = { '/api.DeviceService/GetKeys': refusal }
  const { body } = await take(owner, { types: typesOf(simulator) })
  const { id } = body.data.job
  const waiting = await settle(service, id, owner)
  assert.deepEqual([waiting.done, waiting.failed], [0, 0], String(waiting.message))
  simulator.faults.refusals = {}
  assert.equal((await pass(20, id, owner)).done, 1)
  const { body: list } = await service.call('GET', `/v1/jobs/${id}/rows`, { as: owner })
  assert.equal(list.data[0].message, 'Taken over.')
})

test('where no device may come, no group is made', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  const limit = 'update organizations set device_limit = 0 where id = $1'
  await service.services.db.query(limit, [owner.organizationId])
  const asked = { types: typesOf(simulator), group_by: 'application' }
  assert.deepEqual((await takeAll(owner, asked)).counts, ['done', 1, 0, 1])
  const { body } = await service.call('GET', '/v1/groups', { as: owner })
  assert.doesNotMatch(JSON.stringify(body), /Simulated application/)
})

test('what the database refuses is refused, or comes as a plain name', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 1, 'Cellar')
  const application = simulator.store.applications.get(simulator.applicationId)
  assert.ok(application)
  application.name = '  East\u0000\nwing\u202e '
  for (const [field, body] of [
    ['types.0.profile', { types: [{ profile: 'a\u0000', device_type: doorType.id }] }],
    ['group_by', { group_by: 'tag:\ud800' }],
  ] as const) {
    const refused = await take(owner, body)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, [field]])
  }
  const { counts } = await takeAll(owner, { types: typesOf(simulator), group_by: 'application' })
  assert.deepEqual(counts, ['done', 1, 1, 0])
  const { body } = await service.call('GET', '/v1/groups', { as: owner })
  assert.match(JSON.stringify(body), /"East wing"/)
})

test('EUIs in small letters name the same devices, and a gateway that is here stays', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 0xaa, 'Cellar')
  addGatewayAtNetwork(simulator, 9, 'Roof')
  const devices = [{ eui: euiOf(0xaa).toLowerCase(), device_type: doorType.id }]
  const { body } = await take(owner, { devices, gateways: true })
  assert.equal(body.data.job.total, 2)
  const { id } = await settle(service, body.data.job.id, owner)
  const text = `update job_rows set state = 'failed' where job_id = $1`
  await service.services.db.query(text, [id])
  await service.services.db.query('update jobs set done = 0, failed = 2 where id = $1', [id])
  const rows = [{ number: 1 }, { number: 2 }]
  const call = (rows: object[]) =>
    service.call('PATCH', `/v1/jobs/${id}/rows`, { as: owner, body: { rows } })
  const another = await call([{ number: 1, gateway_id: euiOf(3) }])
  assert.deepEqual([another.status, Object.keys(another.body.errors ?? {})], [422, ['rows']])
  assert.equal((await call(rows)).status, 200)
  await settle(service, id, owner)
  const { body: list } = await service.call('GET', `/v1/jobs/${id}/rows`, { as: owner })
  const messages = list.data.map(({ message }: { message: string }) => message)
  assert.deepEqual(messages, ['It is here already.', 'It is here already.'])
})

test('a take-over can be stopped, and is begun by its own request only', async () => {
  const { owner, simulator } = await startFleet(service)
  const total = 450
  for (let number = 1; number <= total; number += 1) addAtNetwork(simulator, number, `D ${number}`)
  const { body } = await take(owner, { types: typesOf(simulator) })
  const path = `/v1/jobs/${body.data.job.id}`
  const stopped = await service.call('DELETE', path, { as: owner })
  assert.equal(stopped.body.data.state, 'cancelled')
  const job = await settle(service, body.data.job.id, owner)
  const { body: list } = await service.call('GET', '/v1/devices', { as: owner })
  assert.equal(list.meta.total, job.done)
  assert.ok(job.done < total)
  const wrong = { kind: 'take_over', devices: [euiOf(1)] }
  const sent = await service.call('POST', '/v1/jobs', { as: owner, body: wrong })
  assert.deepEqual([sent.status, Object.keys(sent.body.errors)], [422, ['kind']])
})

test('a model that The Things Stack names is found in the catalogue, and then has a type', async (t) => {
  const owner = await foundOrganization(service, 'models@example.test')
  const stack = await startStack()
  t.after(() => stack.close())
  const call = (method: string, path: string, body: object) =>
    service.call(method, `/v1${path}`, { as: owner, body })
  await call('PUT', '/network-accounts/thethingsnetwork', stack.account)
  const version_ids = { brand_id: 'borealis', model_id: 'rain-gauge' }
  plantStackDevice(stack, 'gauge', { ids: { dev_eui: '00000000000001F4' }, version_ids })
  const look = async () => {
    const looked = await call('POST', '/network-accounts/thethingsnetwork/take-over', {
      dry_run: true,
    })
    assert.equal(looked.status, 200, looked.text)
    return looked.body.data.profiles
  }
  const profile = {
    id: 'borealis/rain-gauge',
    name: 'borealis rain-gauge',
    devices: 1,
    codec: null,
  }
  assert.deepEqual(await look(), [{ ...profile, device_type: null, model: null }])

  const archive = zipOf(thingsNetworkFiles).toString('base64')
  const added = await call('POST', '/device-catalogue/sources', { name: 'Repository', archive })
  const model = `${added.body.data.id}.borealis.rain-gauge`
  assert.deepEqual(await look(), [{ ...profile, device_type: null, model }])
  const made = await call('POST', `/device-catalogue/${model}/types`, {})
  assert.deepEqual(await look(), [{ ...profile, device_type: made.body.data.id, model }])
})

test('a type that is not there is refused before anything is done', async () => {
  const { owner, simulator } = await startFleet(service)
  const types = [{ profile: simulator.deviceProfileId, device_type: 999_999 }]
  const { status, body } = await take(owner, { types })
  assert.deepEqual([status, Object.keys(body.errors)], [422, ['types.0.device_type']])
})

test('groups take the right to manage groups', async () => {
  const as = await joinMember(service, 'taker@example.test', ['manage_account', 'manage_devices'])
  const { status, body } = await take(as, { group_by: 'application' })
  assert.deepEqual([status, body.message], [403, 'You do not have the permission manage_groups.'])
})

test('a profile points to a type by its name or part number, if only one fits', () => {
  const own = {
    ...{ id: 100_001, type_name: 'Freezer probe', part_number: 'FP-1' },
    ...{ payload_format: 'ts013' as const, created_at: '', updated_at: '' },
  }
  assert.equal(guessType('freezer-probe', [own] as never), 100_001)
  assert.equal(guessType('RBS301-DWS EU868', []), doorType.id)
  assert.equal(guessType('', []), undefined)
  assert.equal(guessType('Simulated device profile', []), undefined)
})

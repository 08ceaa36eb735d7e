import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  batchUrl,
  creation,
  deletion,
  done,
  readOutbox,
  refused,
  sendBatch,
  spent,
  taken,
  update,
} from '../../../../test/device-batches.ts'
import { addDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { planSchema } from '../../people/billing/plans.ts'

/** A batch as a whole: its size, its quota and billing, its calls to networks, its repetition. */

const service = await startTestService({ after })
const { db } = service.services
const send = (devices: unknown, as?: Login) => sendBatch(service, devices, as)

// shows 10.10.3
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

// shows 4.11.14
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
  assert.deepEqual(await readOutbox(service, [70, 71, 72, 73, 74]), [
    [euiOf(70), 'rename'],
    [euiOf(71), 'add'],
    [euiOf(74), 'add'],
  ])
  assert.equal((await readDevice(service, 73)).device_register_status, 'active')
  await send([deletion(70), creation(70), deletion(71), deletion(73)])
  assert.deepEqual(await readOutbox(service, [70, 71, 73]), [
    [euiOf(70), 'remove'],
    [euiOf(71), 'remove'],
    [euiOf(70), 'add'],
  ])
})

// shows 10.10.4, 10.10.7
test('takes up to 1,000 items', async () => {
  assert.deepEqual(await send([]), [])
  const items = Array.from({ length: 1001 }, (_, index) => creation(0x1000 + index))
  const data = await send(items.slice(1))
  assert.equal(data.length, 1000)
  assert.ok(data.every(({ status }: { status: boolean }) => status))
  const answer = await service.call('POST', batchUrl, { body: { devices: items } })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    devices: ['The devices may not have more than 1000 items.'],
  })
  const gone = await send(items.slice(1).map(({ deviceId }) => ({ action: 'delete', deviceId })))
  assert.ok(gone.every(({ status }: { status: boolean }) => status))
})

// shows 4.11.1, 10.10.7
test('refuses what is no array', async () => {
  for (const devices of ['x', 1, {}, true]) {
    const answer = await service.call('POST', batchUrl, { body: { devices } })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { devices: ['The devices must be an array.'] })
  }
  for (const body of [{}, { devices: null }]) {
    const answer = await service.call('POST', batchUrl, { body })
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
    `with stored as materialized (
       select organization_id, count(*) as devices from devices where deleted_at is null
       group by organization_id
     )
     select id from organizations left join stored on stored.organization_id = organizations.id
     where device_count <> coalesce(stored.devices, 0)`,
  )
  assert.deepEqual(counts, [])
})

test('requires billing where registering alone does, item by item', async (t) => {
  const plan = planSchema.parse({ plan_code: 'a', name: 'A', networks: ['chirpstack'] })
  const paid = await startTestService(t, { billingPlans: [plan] })
  const loriot = creation(91, {}, { network: 'loriot' })
  assert.deepEqual(await sendBatch(paid, [creation(90), loriot]), [
    refused('Billing must be set up before a device can be registered on this network.'),
    done('added', 91),
  ])
  await paid.call('POST', '/v1/subscription', { body: { plan_code: 'a' } })
  assert.deepEqual(await sendBatch(paid, [creation(90)]), [done('added', 90)])
})

test('is repeated under an Idempotency-Key', async () => {
  const options = {
    body: { devices: [creation(95), creation(95)] },
    headers: { 'idempotency-key': 'batch' },
  }
  const first = await service.call('POST', batchUrl, options)
  assert.equal(first.body.data[0].status, true)
  assert.deepEqual(first.body.data[1], taken)
  assert.equal((await service.call('POST', batchUrl, options)).text, first.text)
})

// shows 10.3.8
test('needs manage_devices', async () => {
  const member = await joinMember(service, 'reader@example.test', ['manage_groups'])
  const body = { devices: [creation(99)] }
  assert.equal((await service.call('POST', batchUrl, { as: member, body })).status, 403)
  assert.equal((await service.call('POST', batchUrl, { as: null, body })).status, 401)
})

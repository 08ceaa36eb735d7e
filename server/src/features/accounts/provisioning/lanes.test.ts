import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ChirpStackSimulator } from '../../../../simulators/chirpstack/simulator.ts'
import { addDevice, deviceKey, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, passTime, recordCalls, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService, type TestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import type { Database, Queryable } from '../../../db/connect.ts'
import { listLanes } from '../connections/lane-queries.ts'
import { claimOfLane } from './claim-queries.ts'
import { createProvisioner } from './provisioner.ts'

type Simulator = ChirpStackSimulator

const create = '/api.DeviceService/Create'
const range = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

async function startSide(t: Parameters<typeof startChirpStack>[0], service: TestService) {
  const simulator = await startChirpStack(t)
  const name = `side${simulator.server.split(':').at(-1)}@example.test`
  const as = await foundOrganization(service, name)
  await connect(service, simulator, {}, as)
  return { simulator, as }
}

/** Lets no registration through until it is told to, and counts those that wait. */
function hold({ faults }: Simulator) {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const held = { waiting: 0, release: () => resolve(undefined) }
  faults.refusals[create] = () => {
    held.waiting += 1
    return promise
  }
  return held
}

async function countPending({ services }: TestService, { organizationId }: Login) {
  const [row] = await services.db.query<{ count: number }>(
    `select count(*) as count from devices
     where organization_id = $1 and register_status = 'pending'`,
    [organizationId],
  )
  return row?.count
}

/** As a batch does, without asking the network for any of them. */
async function registerAll(service: TestService, as: Login, numbers: number[]): Promise<void> {
  await registerAtOperator(service, as, numbers)
  // The organization's own account.
  const change = `set register_method = 'user_account' where organization_id = $1`
  await service.services.db.query(`update devices ${change}`, [as.organizationId])
  await service.services.db.query(`update provisioning ${change}`, [as.organizationId])
}

async function registerAtOperator(service: TestService, as: Login, numbers: number[]) {
  const devices = numbers.map((number) => ({
    ...{ action: 'create', deviceId: euiOf(number), deviceName: `Device ${number}` },
    provisioningData: {
      ...{ network: 'chirpstack', registerMethod: 'vendor', deviceTypeId: 16 },
      ...{ deviceKey, joinEui: euiOf(0) },
    },
  }))
  const answer = await service.call('POST', '/v1/batch-device-requests', { as, body: { devices } })
  assert.equal(answer.status, 200, answer.text)
}

test('a network that is slow delays no other, and is asked for few things at once', async (t) => {
  const service = await startTestService(t)
  const slow = await startSide(t, service)
  const quick = await startSide(t, service)
  await registerAll(service, slow.as, range(1, 40))
  const held = hold(slow.simulator)
  const { provisioner } = service.services
  provisioner.wake()
  await until(() => held.waiting === 8, 'eight calls wait for the slow network')
  await registerAll(service, quick.as, range(1, 40))
  provisioner.wake()
  await until(async () => (await countPending(service, quick.as)) === 0, 'the quick one is done')
  assert.equal(held.waiting, 8)
  // Nor do requests of the slow one's organization wait for each other's patience elsewhere.
  const waiting = range(101, 12).map((number) =>
    service.call('POST', '/v1/devices', { as: slow.as, body: registrationOf(number) }),
  )
  await until(() => held.waiting === 16, 'eight more, that requests wait for')
  const device = await addDevice(service, 101, {}, quick.as)
  assert.equal(device.device_register_status, 'active')
  held.release()
  for (const { body } of await Promise.all(waiting)) {
    assert.equal(body.device.device_register_status, 'active')
  }
  await until(async () => (await countPending(service, slow.as)) === 0, 'the slow one is done')
})

test('a tenant with much to do at the operator’s account leaves room for another', async (t) => {
  const service = await startTestService(t)
  const { provisioner } = service.services
  const simulator = await startChirpStack(t)
  await connect(service, simulator, { register_method: 'vendor' })
  const held = hold(simulator)
  const late = await foundOrganization(service, 'late@example.test')
  const busy = await foundOrganization(service, 'busy@example.test')
  for (const first of [100, 200, 300, 400, 500]) {
    const as = await foundOrganization(service, `busy${first}@example.test`, busy)
    await registerAtOperator(service, as, range(first, 12))
  }
  provisioner.wake()
  await until(() => held.waiting === 32, 'all that one tenant may have is under way')
  await registerAtOperator(service, late, [1])
  provisioner.wake()
  await until(() => held.waiting === 33, 'the one call of the other tenant is under way')
  held.release()
})

test('what waits for a network that is away is not tried one by one, and is due when it is back', async (t) => {
  const service = await startTestService(t)
  const { simulator, as } = await startSide(t, service)
  simulator.faults.isAway = true
  await registerAll(service, as, range(1, 60))
  await passTime(service, 0)
  for (let minute = 0; minute < 20; minute += 1) await passTime(service, 6)
  const [tried] = await service.services.db.query<{ calls: number }>(
    'select sum(attempts)::integer as calls from provisioning',
  )
  assert.ok(tried && tried.calls >= 10 && tried.calls <= 40, `${tried?.calls} calls`)
  simulator.faults.isAway = false
  const calls = recordCalls(simulator)
  // Longer than the longest pause, which is up to a quarter more than five minutes.
  await passTime(service, 7)
  assert.equal(await countPending(service, as), 0, 'one success made all of them due')
  assert.equal(calls.filter((call) => call === 'Create').length, 60)
})

for (const isAnalysed of [false, true]) {
  const known = isAnalysed ? ', whatever the planner knows' : ''
  test(`what is parked is not read by a claim${known}`, (t) => checkParked(t, isAnalysed))
}

async function checkParked(t: TestContext, isAnalysed: boolean): Promise<void> {
  const service = await startTestService(t)
  const { db, now } = service.services
  const absent = await foundOrganization(service, 'absent@example.test')
  await addDevice(service, 1, {}, absent)
  await db.query(
    `insert into provisioning (organization_id, network, register_method, device_id, eui, action,
       next_attempt_at)
     select organization_id, network, register_method, device_id, 'X' || number, action,
       next_attempt_at
     from provisioning, generate_series(1, 20000) as number`,
  )
  if (isAnalysed) await db.query('analyze provisioning')
  const { simulator, as } = await startSide(t, service)
  const held = hold(simulator)
  const registration = addDevice(service, 2, {}, as)
  await until(() => held.waiting === 1, 'it is being registered')
  const read = await db.transaction(async (tx) => {
    for (let turn = 0; turn < 10; turn += 1) {
      const claimedUntil = new Date(now().getTime() + 60_000)
      const times = { now: now(), claimedUntil, claimedBy: null }
      assert.deepEqual(await listLanes(tx, 'provisioning', now()), [])
      const lane = { network: 'chirpstack', register_method: 'user_account', tenant_id: 1 }
      for (const { organizationId: organization_id } of [absent, as]) {
        assert.deepEqual(await claimOfLane(tx, { ...lane, organization_id }, times, 1), [])
      }
    }
    return countRead(tx)
  })
  assert.ok(read < 1000, `${read} rows were read`)
  held.release()
  await registration
}

/** Rows of the outbox that this transaction has read. */
async function countRead(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
     where relname = 'provisioning'`,
  )
  return row?.rows ?? 0
}

test('who waits for a call is woken by its end, and asks the database no more than that', async (t) => {
  const service = await startTestService(t)
  const { simulator, as } = await startSide(t, service)
  const held = hold(simulator)
  let looks = 0
  const { db } = service.services
  const counting: Database = {
    ...db,
    query: (text, values) => {
      looks += 1
      return db.query(text, values)
    },
  }
  const registration = addDevice(service, 1, {}, as)
  await until(() => held.waiting === 1, 'it is being registered')
  const [task] = await db.query<{ device_id: number }>('select device_id from provisioning')
  const other = createProvisioner({ ...service.services, db: counting })
  const waiting = other.provisionNow(task?.device_id ?? 0)
  await new Promise((resolve) => setTimeout(resolve, 900))
  assert.ok(looks < 8, `${looks} statements in 0.9 seconds`)
  held.release()
  const device = await registration
  assert.equal(device.device_register_status, 'active')
  await waiting
})

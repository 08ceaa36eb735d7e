import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { addDevice, doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { quarterly } from '../../../../test/plans.ts'
import {
  addAtNetwork,
  adoption,
  noDifference,
  readReport,
  reconcile,
  reconcileUrl,
  removeAtNetwork,
} from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { compareDue } from './schedule.ts'

/** Whole fleets: imports, limits, outages, several at once, and the comparison of each day. */

const service = await startTestService({ after }, { billingPlans: [quarterly] })
const { services } = service
const everything = { adopt_all: { device_type: doorType.id } }

let organizations = 0
async function startFleet(numbers: readonly number[]) {
  organizations += 1
  const owner = await foundOrganization(service, `import${organizations}@example.test`)
  // Without a trial that runs nothing could be registered under the plan.
  await setColumn(owner, 'trial_ends_at', '2027-01-01')
  const simulator = await startChirpStack({ after })
  await connect(service, simulator, {}, owner)
  for (const number of numbers) addAtNetwork(simulator, number, `Theirs ${number}`)
  return { owner, simulator }
}

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index)
}

async function setColumn(owner: Login, column: string, value: unknown): Promise<void> {
  await services.db.query(`update organizations set ${column} = $2 where id = $1`, [
    owner.organizationId,
    value,
  ])
}

async function readQuota(owner: Login): Promise<{ counted: number; stored: number }> {
  const [row] = await services.db.query<{ counted: number; stored: number }>(
    `select device_count as counted,
       (select count(*) from devices where organization_id = $1 and deleted_at is null) as stored
     from organizations where id = $1`,
    [owner.organizationId],
  )
  assert.ok(row)
  return row
}

// shows 11.7.14-15
test('1,200 devices are listed in pages, imported in one call, and counted once', async () => {
  const { owner, simulator } = await startFleet(range(0x1000, 1200))
  const found = await reconcile(service, {}, owner)
  assert.equal(found.totals.device.only_at_network, 1200)
  assert.deepEqual([found.rows.length, found.more], [1000, true])
  const second = await readReport(service, '?page=2', owner)
  assert.deepEqual([second.rows.length, second.more], [200, false])
  const euis = [...found.rows, ...second.rows].map(({ eui }: { eui: string }) => eui)
  assert.deepEqual(euis, range(0x1000, 1200).map(euiOf))

  const special = adoption(0x1004, { device_type: 18, device_name: 'Gate' })
  const report = await reconcile(service, { ...everything, rows: [special] }, owner)
  assert.deepEqual(report.outcome, { done: 1200, refused: 0 })
  assert.deepEqual([report.rows.length, report.more], [1001, true])
  assert.deepEqual(report.totals.device, noDifference)
  assert.deepEqual(await readQuota(owner), { counted: 1200, stored: 1200 })
  const list = '/v1/devices?itemsPerPage=1000&page=2'
  const { body } = await service.call('GET', list, { as: owner })
  assert.deepEqual([body.meta.total, body.data.length], [1200, 200])
  const gate = await service.call('GET', `/v1/devices/${euiOf(0x1004)}`, { as: owner })
  assert.deepEqual([gate.body.data.device_name, gate.body.data.deviceTypeId], ['Gate', 18])

  assert.deepEqual((await reconcile(service, everything, owner)).outcome, { done: 0, refused: 0 })
  assert.equal(simulator.devices.size, 1200)
  assert.deepEqual(await services.db.query('select id from provisioning'), [])
})

// shows 11.7.16
test('what the quota or the bill does not allow is refused, the rest adopted', async () => {
  const { owner } = await startFleet(range(0x2000, 5))
  await setColumn(owner, 'device_limit', 3)
  const report = await reconcile(service, everything, owner)
  assert.deepEqual(report.outcome, { done: 3, refused: 2 })
  assert.equal(report.rows[4].result.message, 'The device limit of your account has been reached.')
  assert.deepEqual(report.totals.device, { ...noDifference, only_at_network: 2 })
  assert.deepEqual(await readQuota(owner), { counted: 3, stored: 3 })
  await setColumn(owner, 'device_limit', 10)
  await setColumn(owner, 'trial_ends_at', null)
  const unpaid = await reconcile(service, everything, owner)
  assert.deepEqual(unpaid.outcome, { done: 0, refused: 2 })
  assert.match(unpaid.rows[0].result.message, /^Billing must be set up/)
})

// shows 11.7.17
test('a network that fails in the middle of its list changes nothing, and is told of', async () => {
  const { owner, simulator } = await startFleet(range(0x3000, 600))
  await addDevice(service, 0x3fff, {}, owner)
  const before = await reconcile(service, {}, owner)
  let page = 0
  const fail = (code: status, message: string) => {
    page = 0
    simulator.faults.refusals['/api.DeviceService/List'] = () => {
      page += 1
      return page === 2 ? { code, message } : undefined
    }
  }
  for (const [code, expected] of [
    [status.UNAVAILABLE, 503],
    [status.UNAUTHENTICATED, 422],
  ] as const) {
    fail(code, 'no second page')
    const answer = await service.call('POST', reconcileUrl, { as: owner, body: everything })
    assert.equal(answer.status, expected, answer.text)
    assert.match(answer.body.message, /no second page/)
    if (expected === 503) assert.equal(answer.headers['retry-after'], '30')
    assert.equal(page, 2)
    const report = await readReport(service, '', owner)
    assert.match(report.failure, /no second page/)
    assert.deepEqual({ ...report, failure: '' }, before)
    const account = await service.call('GET', '/v1/network-accounts/chirpstack', { as: owner })
    // While the account can be checked, what the one list says is about that list.
    assert.equal(account.body.data.status, expected === 503 ? 'connected' : 'refused')
  }
  assert.deepEqual(await readQuota(owner), { counted: 1, stored: 1 })
  simulator.faults.refusals = {}
  assert.deepEqual(await reconcile(service, {}, owner), before)
})

// shows 11.7.18
test('several reconciliations at once adopt each device once in its organization', async () => {
  const { owner, simulator } = await startFleet(range(0x4000, 30))
  const rival = await foundOrganization(service, 'rival@example.test')
  await setColumn(rival, 'trial_ends_at', '2027-01-01')
  await connect(service, simulator, {}, rival)
  const callers = [owner, owner, rival, owner, rival]
  const reports = await Promise.all(callers.map((as) => reconcile(service, everything, as)))
  const done = reports.reduce((sum, { outcome }) => sum + outcome.done, 0)
  assert.equal(done, 60)
  for (const as of [owner, rival]) {
    assert.deepEqual(await readQuota(as), { counted: 30, stored: 30 })
  }
})

// shows 11.7.19
test('an account is compared once a day, by one of several processes', async () => {
  const { owner, simulator } = await startFleet([0x5000])
  const dayLater = new Date(services.now().getTime() + 24 * 60 * 60_000)
  await services.db.query(
    `update network_accounts
     set next_comparison_at = case organization_id when $1 then $2 else $3 end::timestamptz`,
    [owner.organizationId, services.now(), new Date('2030-01-01')],
  )
  let lists = 0
  simulator.faults.refusals['/api.DeviceService/List'] = () => {
    lists += 1
    return undefined
  }
  assert.equal((await readReport(service, '', owner)).compared_at, null)
  await Promise.all([compareDue(services), compareDue(services), compareDue(services)])
  assert.equal(lists, 1)
  const report = await readReport(service, '', owner)
  assert.equal(report.totals.device.only_at_network, 1)
  assert.equal(report.compared_at, '2026-03-01T12:00:00.000000Z')
  const readNext = async () => {
    const [row] = await services.db.query<{ next: number }>(
      `select (extract(epoch from next_comparison_at) * 1000)::double precision as next
       from network_accounts where organization_id = $1`,
      [owner.organizationId],
    )
    return row?.next
  }
  assert.equal(await readNext(), dayLater.getTime())

  simulator.faults.isAway = true
  const start = services.now()
  service.setClock(dayLater)
  await compareDue(services)
  assert.equal(await readNext(), dayLater.getTime() + 60 * 60_000)
  service.setClock(start)
  const failed = await readReport(service, '', owner)
  assert.match(failed.failure, /could not be reached/)
  assert.equal(failed.totals.device.only_at_network, 1)
})

test('an account that is removed takes its report along', async () => {
  const { owner, simulator } = await startFleet([0x6000])
  await reconcile(service, {}, owner)
  const path = '/v1/network-accounts/chirpstack'
  assert.equal((await service.call('DELETE', path, { as: owner })).status, 204)
  assert.equal((await service.call('GET', reconcileUrl, { as: owner })).status, 404)
  await connect(service, simulator, {}, owner)
  removeAtNetwork(simulator, 0x6000)
  assert.deepEqual((await readReport(service, '', owner)).rows, [])
})

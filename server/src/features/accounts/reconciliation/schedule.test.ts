import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice } from '../../../../test/fleet.ts'
import { readReport, startFleet } from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { compareDue } from './schedule.ts'

/** A service that stops while an account is compared: it has some seconds to end. */

const service = await startTestService({ after })
const { services } = service

/** Makes the account of one organization due, and no other one. */
async function makeDue({ organizationId }: Login): Promise<void> {
  await services.db.query(
    `update network_accounts
     set next_comparison_at = case organization_id when $1 then $2 else $3 end::timestamptz`,
    [organizationId, services.now(), new Date('2030-01-01')],
  )
}

async function isDue({ organizationId }: Login): Promise<boolean> {
  const rows = await services.db.query(
    'select from network_accounts where organization_id = $1 and next_comparison_at <= $2',
    [organizationId, services.now()],
  )
  return rows.length > 0
}

test('a stop ends the calls about single devices, and the report names what they left out', async () => {
  const { owner, simulator } = await startFleet(service)
  for (let number = 0x10; number < 0x20; number += 1) await addDevice(service, number, {}, owner)
  await makeDue(owner)
  const gate = Promise.withResolvers<undefined>()
  let asked = 0
  simulator.faults.refusals['/api.DeviceService/GetKeys'] = () => {
    asked += 1
    return gate.promise
  }
  let isStopping = false
  const comparison = compareDue(services, () => isStopping)
  await until(() => asked > 0, 'a key is asked for')
  isStopping = true
  gate.resolve(undefined)
  await comparison
  assert.ok(asked < 16, `${asked} keys were asked for`)
  const { compared_at: comparedAt, left_out: leftOut } = await readReport(service, '', owner)
  assert.notEqual(comparedAt, null)
  assert.equal(leftOut.length, 1)
  assert.equal(await isDue(owner), false)
})

test('a stop ends the reading of a list, and the account is compared after the next start', async () => {
  const { owner } = await startFleet(service)
  await addDevice(service, 0x30, {}, owner)
  await makeDue(owner)
  await compareDue(services, () => true)
  const { compared_at: comparedAt, failure } = await readReport(service, '', owner)
  assert.deepEqual([comparedAt, failure], [null, ''])
  assert.equal(await isDue(owner), true)
})

test('a comparison that loses the database is tried again an hour later', async () => {
  const { owner } = await startFleet(service)
  await makeDue(owner)
  const lost = new Error('the database is gone')
  const db = Object.assign(Object.create(services.db), { transaction: () => Promise.reject(lost) })
  await assert.rejects(compareDue({ ...services, db }), lost)
  assert.equal(await isDue(owner), false)
  const start = services.now()
  service.setClock(new Date(start.getTime() + 60 * 60_000))
  assert.equal(await isDue(owner), true)
  service.setClock(start)
})

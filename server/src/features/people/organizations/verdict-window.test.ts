import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAlertTest } from '../../../../test/alerts.ts'
import { addGroup, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'

const service = await startAlertTest({ after }, { devices: 2 })
const { call, createRule, alerts } = service
const url = '/v1/organization/verdict'

async function get(path: string, as = service.owner) {
  const answer = await call('GET', `/v1${path}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function setWindow(hours: number) {
  const answer = await call('PATCH', url, { body: { window_hours: hours } })
  assert.deepEqual([answer.status, answer.body.data], [200, { window_hours: hours }])
}

test('a device is silent after the window of its organization, wherever its verdict is told', async () => {
  await service.uplink(1)
  const { data } = await get('/fleet/devices')
  const [heard] = data.map(({ id }: { id: number }) => id)
  const group = await addGroup(service, 'Cellar', { selectedDevices: [heard] })
  const rule = await createRule({ kind: 'device_silent' })
  await service.pass(30 * 60)
  await service.renewLogin()
  const told = async () => {
    const found = await get('/fleet/devices?verdict=silent')
    const well = await get('/fleet/devices?verdict=ok')
    const [row] = (await get(`/fleet/devices?ids=${heard}`)).data
    const summary = (await get('/fleet/summary')).data.devices
    const groups = (await get('/fleet/groups')).data
    const [entry] = (await get(`/device-groups/${group}`)).data[0].devices
    return [
      ...[found.total, well.total, row.verdict.state, summary.silent, summary.ok],
      groups.find(({ id }: { id: number }) => id === group).subtree.silent,
      ...[entry.device_status, entry.device_no_longer_reporting],
    ]
  }
  const silent = [1, 0, 'silent', 1, 0, 1, 'Inactive', 1]
  const well = [0, 1, 'ok', 0, 1, 0, 'Active', 0]
  assert.deepEqual(await told(), well)
  assert.deepEqual(await alerts(`rule=${rule.id}`), [])
  await setWindow(24)
  assert.deepEqual(await told(), silent)
  await service.pass(1)
  const [alert] = await alerts(`rule=${rule.id}`)
  assert.deepEqual([alert.device.eui, alert.bound], [euiOf(1), 24 * 3600])
  await setWindow(31)
  assert.deepEqual(await told(), well)
  const other = await foundOrganization(service, 'else@example.test')
  assert.deepEqual((await get('/organization/verdict', other)).data, { window_hours: 48 })
})

test('a device that was never heard has two days to begin, whatever the window', async () => {
  await setWindow(1)
  const count = async () => (await get('/fleet/summary')).data.devices
  assert.equal((await count()).new, 1)
  await service.pass(20 * 60)
  await service.renewLogin()
  const { new: fresh, silent } = await count()
  assert.deepEqual([fresh, silent], [0, 2])
})

test('the window is a number of hours up to a year', async () => {
  for (const window_hours of [0, 8761, 1.5, '24', null, undefined]) {
    const answer = await call('PATCH', url, { body: { window_hours } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['window_hours']])
  }
  await setWindow(8760)
})

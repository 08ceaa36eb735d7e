import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../../simulators/clock.ts'
import { startSimulator as startLoriot } from '../../../../simulators/loriot/simulator.ts'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { creation, sendBatch } from '../../../../test/device-batches.ts'
import { euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { createProvisioner } from '../provisioning/provisioner.ts'
import { createConnections } from './connections.ts'

const accountPath = '/v1/network-accounts/thethingsnetwork'
const start = Date.parse('2026-01-01T12:00:00Z')

/** A service whose calls wait by a clock that goes on as they do, and a network on the same one. */
async function startBench(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t)
  const { services } = service
  service.setClock(new Date(start))
  const time = () => services.now().getTime()
  const passTo = (moment: number) => service.setClock(new Date(Math.max(time(), moment)))
  const stack = await startStack({ clock: { ...systemClock, now: time } })
  t.after(() => stack.close())
  // What is registered waits for processes of our own.
  await services.provisioner.close()
  const startProcess = () => {
    const sleep = async (milliseconds: number) => passTo(time() + milliseconds)
    const connections = createConnections({ ...services, sleep })
    const provisioner = createProvisioner({ ...services, connections })
    t.after(async () => {
      await provisioner.close()
      await connections.close()
    })
    return provisioner
  }
  const connect = async () => {
    const answer = await service.call('PUT', accountPath, { body: stack.account })
    assert.equal(answer.body.data.status, 'connected', answer.text)
  }
  const register = async (count: number, changes: object = {}) => {
    const data = {
      network: 'thethingsnetwork',
      registerMethod: 'user_account',
      joinEui: '0000000000000000',
      frequencyPlan: 'EU_863_870_TTN',
      ...changes,
    }
    const items = Array.from({ length: count }, (_, index) => creation(index + 1, {}, data))
    await sendBatch(service, items)
  }
  const countActive = async () => {
    const rows = await services.db.query("select from devices where register_status = 'active'")
    return rows.length
  }
  /** Looks for work each second until all devices are there; returns the seconds that it took. */
  const workUntil = async (
    count: number,
    provisioners: { wake(): void; idle(): Promise<void> }[],
  ) => {
    for (let turn = 0; turn < 3_600 && (await countActive()) < count; turn += 1) {
      for (const { wake } of provisioners) wake()
      for (const { idle } of provisioners) await idle()
      passTo(time() + 1_000)
    }
    assert.equal(await countActive(), count)
    return (time() - start) / 1000
  }
  const readAccount = async () => (await service.call('GET', accountPath)).body.data
  return { service, stack, passTo, time, startProcess, connect, register, workUntil, readAccount }
}

for (const processes of [1, 2]) {
  test(`60 calls a minute are used to the full by ${processes} of us, and hardly passed`, async (t) => {
    const bench = await startBench(t)
    const { stack } = bench
    await bench.connect()
    await bench.register(60)
    const { restrictions, calls } = stack.http
    const before = calls.length
    restrictions.callsPerMinute = 60
    const provisioners = Array.from({ length: processes }, bench.startProcess)
    const seconds = await bench.workUntil(60, provisioners)
    const taken = calls.length - before - restrictions.tooManyCalls
    t.diagnostic(`${seconds} s for ${taken} calls, ${restrictions.tooManyCalls} too many`)
    assert.ok(seconds < (taken - 60) * 1.25 + 60, `${seconds} s for ${taken} calls`)
    assert.ok(restrictions.tooManyCalls <= 20, `${restrictions.tooManyCalls} calls too many`)
    const { status } = await bench.readAccount()
    assert.equal(status, 'connected')
    assert.equal(stack.findDevice(euiOf(60))?.name, 'Device 60')
  })
}

test('an allowance that the network does not state is found out', async (t) => {
  const bench = await startBench(t)
  const { service, startProcess, time } = bench
  const network = await startLoriot({ clock: { ...systemClock, now: time } })
  const { side } = network
  t.after(() => network.close())
  const connected = await service.call('PUT', '/v1/network-accounts/loriot', {
    body: network.account,
  })
  assert.equal(connected.body.data.status, 'connected', connected.text)
  await bench.register(200, { network: 'loriot', frequencyPlan: null })
  const { restrictions, calls } = side.http
  const before = calls.length
  restrictions.callsPerMinute = 60
  const seconds = await bench.workUntil(200, [startProcess()])
  const taken = calls.length - before - restrictions.tooManyCalls
  t.diagnostic(`${seconds} s for ${taken} calls, ${restrictions.tooManyCalls} too many`)
  assert.ok(seconds < (taken - 60) * 1.25 + 60, `${seconds} s for ${taken} calls`)
  assert.ok(restrictions.tooManyCalls <= 20, `${restrictions.tooManyCalls} calls too many`)
})

test('an account whose network asks to slow down says so, and until when', async (t) => {
  const bench = await startBench(t)
  const { stack, service } = bench
  await bench.connect()
  await bench.register(1)
  stack.http.faults.answers['GET /api/v3/search/applications/:application/devices'] = {
    status: 429,
    headers: { 'retry-after': '90' },
    body: { message: 'error:pkg/ratelimit:rate_limit_exceeded (too many calls)' },
  }
  const calls = stack.http.calls.length
  const provisioner = bench.startProcess()
  provisioner.wake()
  await provisioner.idle()
  const { status, message } = await bench.readAccount()
  assert.equal(status, 'connected')
  assert.equal(
    message,
    'The Things Stack asks to slow down: too many calls, until 2026-01-01T12:01:30Z.',
  )
  const { body } = await service.call('GET', `/v1/devices/${euiOf(1)}`)
  assert.equal(body.data.device_register_status, 'pending')
  assert.equal(body.data.api_error_json, 'The Things Stack asks to slow down: too many calls.')
  assert.equal(stack.http.calls.length - calls, 1)

  bench.passTo(start + 89_000)
  provisioner.wake()
  await provisioner.idle()
  assert.equal(stack.http.calls.length - calls, 1, 'it is left alone until then')
  stack.http.faults.answers = {}
  await bench.workUntil(1, [provisioner])
  assert.deepEqual((await bench.readAccount()).message, '')
})

test('after ten minutes of rest calls are made as they come again', async (t) => {
  const bench = await startBench(t)
  const { stack, service } = bench
  await bench.connect()
  await bench.register(20)
  stack.http.restrictions.callsPerMinute = 60
  const provisioner = bench.startProcess()
  await bench.workUntil(20, [provisioner])
  const readPace = () => service.services.db.query('select call_interval_ms from network_accounts')
  assert.notDeepEqual(await readPace(), [{ call_interval_ms: null }])
  stack.http.restrictions.callsPerMinute = undefined
  bench.passTo(bench.time() + 21 * 60_000)
  const body = { device_name: 'Renamed' }
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
  provisioner.wake()
  await provisioner.idle()
  assert.equal(stack.findDevice(euiOf(1))?.name, 'Renamed')
  assert.deepEqual(await readPace(), [{ call_interval_ms: null }])
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  connectToStack,
  doorId,
  plannedSensor,
  readStackDevice,
} from '../../../test/network-connections.ts'

const { devEui } = plannedSensor
const path = `/api/v3/as/applications/fleet-app/devices/${doorId}/down`
const replace = 'POST /api/v3/as/applications/:application/devices/:device/down/replace'

/** A device that has joined, with what other programs queue for it. */
async function startBench(context: TestContext) {
  const { simulator, connection, store } = await connectToStack(context)
  await connection.addDevice(plannedSensor)
  await simulator.settle()
  const headers = { authorization: `Bearer ${store.apiKey}`, 'content-type': 'application/json' }
  const queueForeign = async (...downlinks: object[]) => {
    const url = `${simulator.http.address}${path}/push`
    const body = JSON.stringify({ downlinks })
    assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 200)
  }
  const listRaw = async () => {
    const answer = await fetch(`${simulator.http.address}${path}`, { headers })
    return ((await answer.json()) as { downlinks?: Record<string, unknown>[] }).downlinks ?? []
  }
  const queue = (text: string, confirmed = false) =>
    connection.queueDownlink({ devEui, fPort: 2, payload: Buffer.from(text, 'hex'), confirmed })
  /** Once, after the queue was listed and before it is replaced. */
  const meanwhile = (act: () => unknown) => {
    simulator.http.faults.answers[replace] = async () => {
      delete simulator.http.faults.answers[replace]
      await act()
      return undefined
    }
  }
  return { simulator, connection, queueForeign, listRaw, queue, meanwhile }
}

const timed = {
  absolute_time: '2127-01-01T00:00:00Z',
  gateways: [{ gateway_ids: { gateway_id: 'roof' } }],
}
const foreign = [
  { f_port: 7, frm_payload: 'AQ==', priority: 'HIGHEST', correlation_ids: ['other:1', 'other:2'] },
  { f_port: 8, frm_payload: 'Ag==', confirmed: true, confirmed_retry: { max_attempts: 3 } },
  {
    f_port: 9,
    frm_payload: 'Aw==',
    priority: 'LOW',
    class_b_c: timed,
    correlation_ids: ['other:3'],
  },
]

test('passes what other programs queued through unchanged, in one call', async (t) => {
  const { simulator, connection, queueForeign, listRaw, queue } = await startBench(t)
  await queueForeign(...foreign)
  const id = await queue('0a')
  await queue('0b')
  const before = await listRaw()
  const { calls } = simulator.http
  const first = calls.length
  assert.equal(await connection.cancelDownlink(devEui, id), true)
  const changes = calls.slice(first).filter(({ method }) => method !== 'GET')
  assert.deepEqual(
    changes.map((call) => call.path),
    [`${path}/replace`],
  )
  const after = await listRaw()
  const known = ({ f_cnt: _counter, correlation_ids: _ids, ...item }: Record<string, unknown>) =>
    item
  const kept = before.filter(({ frm_payload: data }) => data !== 'Cg==')
  assert.deepEqual(after.map(known), kept.map(known))
  assert.equal(kept.length, 4)
  for (const [index, { correlation_ids: ids }] of kept.entries()) {
    const now = after[index]?.correlation_ids as string[]
    assert.ok(
      (ids as string[]).every((one) => now.includes(one)),
      `${ids} in ${now}`,
    )
  }
})

test('takes out what waits, and says no to what does not', async (t) => {
  const { simulator, connection, queue } = await startBench(t)
  const [first, second] = [await queue('0a'), await queue('0b')]
  assert.equal(await connection.cancelDownlink(devEui, second), true)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['0a'])
  assert.equal(await connection.cancelDownlink(devEui, second), false)
  await simulator.sendUplink(devEui, '110300')
  assert.equal(await connection.cancelDownlink(devEui, first), false)
})

test('calls no downlink cancelled that went out just before', async (t) => {
  const { simulator, connection, queue, meanwhile } = await startBench(t)
  const [first] = [await queue('0a'), await queue('0b')]
  meanwhile(() => simulator.sendUplink(devEui, '110300'))
  assert.equal(await connection.cancelDownlink(devEui, first), false)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['0b'])
})

test('lets nothing go out twice that went out while another was cancelled', async (t) => {
  const { simulator, connection, queue, meanwhile } = await startBench(t)
  const [, second] = [await queue('0a', true), await queue('0b'), await queue('0c')]
  meanwhile(() => simulator.sendUplink(devEui, '110300'))
  assert.equal(await connection.cancelDownlink(devEui, second), true)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['0c'])
})

test('tells a frame of the network itself from a downlink', async (t) => {
  const { simulator, connection, queue, meanwhile } = await startBench(t)
  const id = await queue('0a')
  meanwhile(() => {
    const { session } = readStackDevice(simulator) ?? {}
    session?.recentDownlinks.push({ payload: { mac_payload: { full_f_cnt: 1 } } })
    Object.assign(session ?? {}, { lastNFCntDown: 1 })
  })
  assert.equal(await connection.cancelDownlink(devEui, id), true)
})

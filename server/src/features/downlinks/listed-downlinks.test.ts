import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType } from '../../../test/device-types.ts'
import {
  addBenchDevice,
  atNetwork,
  bytesOf,
  configure,
  passTime,
  periodOf,
  queue,
  startBench,
} from '../../../test/downlinks.ts'
import { until } from '../../../test/until.ts'

const bench = await startBench({ after })

async function list(eui: string, query = '') {
  const answer = await bench.service.call('GET', `/v1/devices/${eui}/downlinks${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function cancelOne(eui: string, id: number) {
  const answer = await bench.service.call('DELETE', `/v1/devices/${eui}/downlinks/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

async function preview(eui: string, field: object) {
  return bench.service.call('POST', `/v1/devices/${eui}/configure/preview`, {
    body: { config_field: field },
  })
}

test('previews the bytes of a message and sends nothing', async () => {
  const { eui } = await addBenchDevice(bench, 1)
  const { status, body } = await preview(eui, periodOf(1))
  assert.equal(status, 200)
  const { parts, ...told } = body.data
  assert.deepEqual(told, { section: 'general', bytes: bytesOf(1), f_port: 2, warnings: [] })
  const period = parts.find(({ key }: { key: string }) => key === 'supervisory_period')
  assert.deepEqual(
    [period.start, period.length, period.raw, period.meaning],
    [3, 1, '81', '1 minute'],
  )
  assert.deepEqual((await list(eui)).data, [])
  assert.deepEqual(atNetwork(bench, eui), [])
  const wrong = { ...periodOf(1), supervisory_period: 999 }
  const refused = await preview(eui, wrong)
  const sent = await configure(bench, eui, wrong)
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.body, sent.body)
})

test('previews what the codec of an own type encodes', async () => {
  const codec = `function decodeUplink() { return { data: {} } }
    function encodeDownlink({ data }) { return { bytes: [1, data.x], fPort: 9, warnings: ['w'] } }`
  const type = await addType(bench.service, { codec })
  const { eui } = await addBenchDevice(bench, 2, { deviceType: type.id })
  const field = { islorawan: 1, config_type: 'sensor', codec_data: { x: 5 } }
  const { body } = await preview(eui, field)
  assert.deepEqual(
    [body.data.bytes, body.data.f_port, body.data.warnings, body.data.parts[0].label],
    ['0105', 9, ['w'], 'Encoded by the codec'],
  )
  await configure(bench, eui, field)
  const [downlink] = (await list(eui)).data
  assert.deepEqual(downlink.lines, ['Data: {"x":5}'])
  assert.deepEqual(downlink.warnings, ['w'])
})

test('lists downlinks with their way, place and user, in parts', async () => {
  const { eui } = await addBenchDevice(bench, 3)
  for (const minutes of [1, 2, 3]) await queue(bench, eui, minutes)
  const whole = await list(eui)
  assert.equal(whole.total, 3)
  assert.equal(whole.after, null)
  assert.deepEqual(
    whole.data.map(({ bytes, place }: Record<string, unknown>) => [bytes, place]),
    [
      [bytesOf(3), 3],
      [bytesOf(2), 2],
      [bytesOf(1), 1],
    ],
  )
  const [newest] = whole.data
  assert.equal(newest.state, 'handed_over')
  assert.deepEqual(
    newest.steps.map(({ step }: { step: string }) => step),
    ['created', 'handed_over'],
  )
  assert.deepEqual(newest.lines[0], 'Configuration: General')
  assert.equal(newest.device.device_id, eui)
  assert.notEqual(newest.user.name, '')
  assert.equal(newest.can_be_cancelled, true)
  const first = await list(eui, '?limit=2')
  assert.equal(first.data.length, 2)
  const second = await list(eui, `?limit=2&after=${first.after}`)
  assert.deepEqual([...first.data, ...second.data], whole.data)
  assert.equal(second.after, null)
})

test('cancels the chosen downlink and leaves the others in order', async () => {
  const { eui } = await addBenchDevice(bench, 4)
  for (const minutes of [1, 2, 3]) await queue(bench, eui, minutes)
  const middle = (await list(eui)).data[1]
  const told = await cancelOne(eui, middle.id)
  assert.equal(told.outcome, 'cancelled')
  assert.equal(told.downlink.state, 'cancelled')
  assert.equal(told.downlink.hindrance, 'It is cancelled already.')
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(1), bytesOf(3)])
  assert.equal((await cancelOne(eui, middle.id)).outcome, 'finished')
  const steps = (await list(eui)).data[1].steps.map(({ step }: { step: string }) => step)
  assert.deepEqual(steps.at(-1), 'cancelled')
})

test('everybody sees that a downlink is being cancelled, until that is certain', async () => {
  const { eui, id } = await addBenchDevice(bench, 6)
  await queue(bench, eui, 1)
  const [{ id: downlink, is_cancelling }] = (await list(eui)).data
  assert.equal(is_cancelling, false)
  let answer: ReturnType<typeof cancelOne> | undefined
  await bench.service.services.db.transaction(async (tx) => {
    // The cancel waits for the queue.
    await tx.query(
      'select from downlink_queues where organization_id = 1 and device_id = $1 for update',
      [id],
    )
    answer = cancelOne(eui, downlink)
    await until(async () => (await list(eui)).data[0].is_cancelling, 'the cancel')
  })
  assert.equal((await answer)?.outcome, 'cancelled')
  assert.equal((await list(eui)).data[0].is_cancelling, false)
})

test('lists what waits in the whole organization, and what went wrong', async () => {
  const { eui } = await addBenchDevice(bench, 5)
  await queue(bench, eui, 7)
  const read = async (query = '') =>
    (await bench.service.call('GET', `/v1/fleet/downlinks${query}`)).body
  const waiting = await read()
  assert.equal(waiting.data[0].device.device_id, eui)
  assert.equal(waiting.total, waiting.data.length)
  const states = new Set<string>(waiting.data.map(({ state }: { state: string }) => state))
  assert.deepEqual(
    [...states].filter((state) => !['queued', 'handed_over'].includes(state)),
    [],
  )
  const part = await read('?limit=1')
  assert.deepEqual(part.data, waiting.data.slice(0, 1))
  assert.deepEqual((await read(`?limit=1&after=${part.after}`)).data, waiting.data.slice(1, 2))
  assert.equal((await read('?state=failed')).total, 0)
  const refused = await bench.service.call('GET', '/v1/fleet/downlinks?state=all')
  assert.equal(refused.status, 422)
})

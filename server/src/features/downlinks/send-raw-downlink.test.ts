import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  bytesOf,
  passTime,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { addDevice } from '../../../test/fleet.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { closeExpired } from './expiry.ts'
import { closeUnanswered } from './missing-downlinks.ts'
import { createDownlinkSender } from './sender.ts'

const bench = await startBench({ after })
const { service, simulator } = bench
const { services } = service
const { db } = services
let number = 0
const addOne = () => addBenchDevice(bench, ++number)

async function post(eui: string | number, body: object, headers: Record<string, string> = {}) {
  return service.call('POST', `/v1/devices/${eui}/downlink`, { body, headers })
}

async function send(eui: string, body: object) {
  const answer = await post(eui, { f_port: 10, payload: '0102', ...body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

async function list(path: string) {
  const answer = await service.call('GET', `/v1${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const listOf = (eui: string) => list(`/devices/${eui}/downlinks`)

/** Moves the clock on, and expires what nothing hands over. */
async function pass(minutes: number) {
  service.setClock(new Date(services.now().getTime() + minutes * 60_000))
  await closeExpired(db, services.now())
}

// shows 11.9.1, 11.9.2
test('sends bytes to a port as they are, in their turn', async () => {
  const { eui } = await addOne()
  await queue(bench, eui, 5)
  const sent = await send(eui, { f_port: 223, payload: 'A0-b1:c2 D3' })
  const { id, steps, parts, user, device, ...told } = sent
  assert.deepEqual(told, {
    section: 'raw',
    lines: ['Raw message'],
    bytes: 'a0b1c2d3',
    f_port: 223,
    confirmed: false,
    expires_at: null,
    warnings: [],
    state: 'handed_over',
    attempts: 1,
    last_error: null,
    is_uncertain: false,
    place: 2,
    is_cancelling: false,
    can_be_cancelled: true,
    hindrance: null,
  })
  assert.equal(device.device_id, eui)
  assert.deepEqual(
    parts.map(({ label, raw }: Record<string, string>) => [label, raw]),
    [['Sent as given', 'a0b1c2d3']],
  )
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), 'a0b1c2d3'])
  const [entry] = await readHistory(bench, eui)
  assert.equal(entry?.downlink_id, id)
  assert.equal(entry?.eventData, 'Raw message, unconfirmed<br>Port: 223<br>Message: a0 b1 c2 d3')
  await simulator.sendUplink(eui)
  await simulator.sendUplink(eui)
  const [raw] = await listOf(eui)
  assert.deepEqual([raw.id, raw.state], [id, 'sent'])
  await closeUnanswered(db, new Date(Date.now() + 8 * 86_400_000))
  assert.equal((await listOf(eui))[0].state, 'sent', 'nobody must answer it')
  const cancelled = await service.call('DELETE', `/v1/devices/${eui}/downlinks/${id}`)
  assert.equal(cancelled.body.data.outcome, 'finished')
})

// shows 11.9.3
test('a confirmed one is acknowledged by the device, or fails', async () => {
  const { eui } = await addOne()
  const sent = await send(eui, { confirmed: true })
  assert.equal(sent.confirmed, true)
  const [queued] = simulator.devices.get(eui.toLowerCase())?.queue ?? []
  assert.equal(queued?.confirmed, true)
  await simulator.sendUplink(eui)
  await simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
  assert.match((await readHistory(bench, eui))[0]?.eventData ?? '', /^Raw message, confirmed<br>/)
})

// shows 11.9.5-7
test('one that is not handed over in time expires with an event, and is never sent', async () => {
  const { eui } = await addOne()
  simulator.faults.isAway = true
  const short = await send(eui, { payload: '01', valid_seconds: 600 })
  const at = new Date(services.now().getTime() + 20 * 60_000).toISOString()
  const long = await send(eui, { payload: '02', expires_at: at })
  const ever = await send(eui, { payload: '03' })
  assert.deepEqual([short.state, long.state, ever.state], ['queued', 'queued', 'queued'])
  assert.equal(new Date(long.expires_at).toISOString(), at)
  const states = async () =>
    (await listOf(eui)).map(({ state }: Record<string, string>) => state).reverse()
  await pass(9)
  assert.deepEqual(await states(), ['queued', 'queued', 'queued'])
  // Two processes at once.
  await Promise.all([pass(2), closeExpired(db, new Date(services.now().getTime() + 120_000))])
  assert.deepEqual(await states(), ['expired', 'queued', 'queued'])
  await pass(12)
  assert.deepEqual(await states(), ['expired', 'expired', 'queued'])
  simulator.faults.isAway = false
  await passTime(bench)
  assert.deepEqual(await states(), ['expired', 'expired', 'handed_over'])
  assert.deepEqual(atNetwork(bench, eui), ['03'])
  const events = await readEvents(bench, eui)
  assert.deepEqual(events.filter((name) => name === 'expired').length, 2)
  const [expired] = (await readHistory(bench, eui)).filter((e) => e.downlink_id === long.id)
  assert.deepEqual(
    [expired?.event_name, expired?.configStatus],
    ['event_expired', 'Config Expired'],
  )
  assert.match(expired?.eventData ?? '', /^Reason: It was not handed over to the network in time\./)
  const fleet = await list('/fleet/downlinks?state=expired')
  assert.deepEqual(
    fleet.map((one: { id: number; steps: { step: string }[] }) => [one.id, one.steps.at(-1)?.step]),
    [
      [long.id, 'expired'],
      [short.id, 'expired'],
    ],
  )
  const { body } = await service.call('DELETE', `/v1/devices/${eui}/downlinks/${long.id}`)
  assert.equal(body.data.outcome, 'finished')
  assert.equal(body.data.downlink.hindrance, 'It has expired already.')
})

/** The service's sender, whose calls the network answers in this way. */
function senderWith(change: (connection: NetworkConnection) => NetworkConnection) {
  const open = async (accountId: number) => change(await services.connections.open(accountId))
  return createDownlinkSender({
    ...services,
    connections: { ...services.connections, open },
  })
}

/** Queues one that nothing hands over yet, and makes its queue due. */
async function queueHere(eui: string, body: object) {
  simulator.faults.isAway = true
  const queued = await send(eui, body)
  simulator.faults.isAway = false
  await db.query('update downlink_queues set next_attempt_at = $1', [services.now()])
  await db.query('update network_accounts set paused_until = null')
  return queued
}

test('a call without a certain outcome is not called expired before the network is asked', async () => {
  const { eui, id } = await addOne()
  const queued = await queueHere(eui, { payload: '0a', valid_seconds: 60 })
  assert.equal(queued.state, 'queued')
  const lost = senderWith((connection) => ({
    ...connection,
    queueDownlink: async (downlink) => {
      await connection.queueDownlink?.(downlink)
      throw new NetworkError('unreachable', 'no answer in time')
    },
  }))
  await lost.sendNow({ organizationId: 1, deviceId: id })
  await pass(10)
  assert.equal((await listOf(eui))[0].state, 'queued', 'the network may have it')
  await services.downlinkSender.sendNow({ organizationId: 1, deviceId: id })
  assert.equal((await listOf(eui))[0].state, 'handed_over')
  assert.deepEqual(atNetwork(bench, eui), ['0a'])
})

// shows 11.9.7
test('where the network does not list its queue, a late report still counts', async () => {
  const { eui, id } = await addOne()
  await queueHere(eui, { payload: '0b', valid_seconds: 60 })
  const blind = senderWith(({ listDownlinks: _, ...connection }) => ({
    ...connection,
    queueDownlink: async (downlink) => {
      await connection.queueDownlink?.(downlink)
      throw new NetworkError('unreachable', 'no answer in time')
    },
  }))
  await blind.sendNow({ organizationId: 1, deviceId: id })
  await pass(10)
  await blind.sendNow({ organizationId: 1, deviceId: id })
  const [failed] = await listOf(eui)
  assert.deepEqual([failed.state, failed.is_uncertain], ['failed', true])
  assert.match(failed.steps.at(-1).reason, /^It expired after a call/)
})

test('an expired one at the head of a queue is not handed over', async () => {
  const { eui, id } = await addOne()
  await queueHere(eui, { payload: '0c', valid_seconds: 60 })
  await queueHere(eui, { payload: '0d' })
  service.setClock(new Date(services.now().getTime() + 61_000))
  await services.downlinkSender.sendNow({ organizationId: 1, deviceId: id })
  assert.deepEqual(
    (await listOf(eui)).map((one: Record<string, unknown>) => [one.bytes, one.state, one.attempts]),
    [
      ['0d', 'handed_over', 1],
      ['0c', 'expired', 2],
    ],
  )
  assert.deepEqual(atNetwork(bench, eui), ['0d'])
})

// shows 11.9.4, 11.9.8
test('refuses what is no raw downlink, and says why', async () => {
  const { eui } = await addOne()
  const faults = async (body: object) => {
    const { status, body: answer } = await post(eui, { f_port: 10, payload: '01', ...body })
    assert.equal(status, 422)
    return answer.errors
  }
  const port = ['The fPort must be an integer from 1 to 223.']
  for (const f_port of [0, 224, 1.5, '10', undefined]) {
    assert.deepEqual(await faults({ f_port }), { f_port: port })
  }
  const hexadecimal = ['The payload must be whole bytes in hexadecimal, at least one.']
  for (const payload of ['', '0', '0g', ' ']) {
    assert.deepEqual(await faults({ payload }), { payload: hexadecimal })
  }
  assert.deepEqual(await faults({ payload: undefined }), {
    payload: ['The payload field is required.'],
  })
  assert.deepEqual(await faults({ payload: '00'.repeat(243) }), {
    payload: ['The payload may not have more than 242 bytes.'],
  })
  const past = { expires_at: services.now().toISOString() }
  assert.deepEqual(await faults(past), { expires_at: ['The expires at must be in the future.'] })
  const far = { expires_at: '2999-01-01T00:00:00Z' }
  assert.deepEqual(await faults(far), {
    expires_at: ['The expires at may not be more than 365 days away.'],
  })
  assert.deepEqual(await faults({ ...far, valid_seconds: 5 }), {
    valid_seconds: ['Send expires_at or valid_seconds, not both.'],
  })
  assert.deepEqual(await faults({ valid_seconds: 0 }), {
    valid_seconds: ['The valid seconds must be an integer from 1 to 31536000.'],
  })
  assert.deepEqual(await faults({ confirmed: 1 }), {
    confirmed: ['The confirmed must be true or false.'],
  })
  assert.deepEqual(await listOf(eui), [])
  const local = await addDevice(service, ++number, { consoleOnly: true })
  const refused = await post(local.id, { f_port: 10, payload: '01' })
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /recorded here only/)
  const unknown = await post(999_999, { f_port: 10, payload: '01' })
  assert.deepEqual([unknown.status, unknown.body.message], [404, 'device not found'])
  const aws = await addDevice(service, ++number, { network: 3, consoleOnly: true })
  await db.query('update devices set is_console_only = false where id = $1', [aws.id])
  const unconfirmed = await post(aws.id, { f_port: 10, payload: '01', confirmed: true })
  assert.deepEqual(unconfirmed.body.errors, {
    confirmed: ['AWS IoT Core has no confirmed downlinks.'],
  })
})

// shows 11.9.9
test('a repeated request with its key sends once, and a full queue is a conflict', async () => {
  const { eui, id } = await addOne()
  const headers = { 'idempotency-key': 'raw-1' }
  const first = await post(eui, { f_port: 10, payload: '01' }, headers)
  const again = await post(eui, { f_port: 10, payload: '01' }, headers)
  assert.deepEqual(again.body, first.body)
  assert.equal((await listOf(eui)).length, 1)
  await db.query(
    `insert into downlinks
       (organization_id, device_id, user_id, section, field_values, payload, f_port)
     select organization_id, device_id, user_id, section, field_values, payload, f_port
     from downlinks, generate_series(1, 99) where device_id = $1`,
    [id],
  )
  const full = await post(eui, { f_port: 10, payload: '02' })
  assert.deepEqual(
    [full.status, full.body.message],
    [409, 'The device has 100 messages waiting; cancel one first.'],
  )
})

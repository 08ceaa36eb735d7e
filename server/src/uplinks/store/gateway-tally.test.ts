import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { addGateway, addLocalDevice, connectAccount, readLiteGateway } from '../../../test/fleet.ts'
import { foundOrganization } from '../../../test/members.ts'
import { type Login, startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const examples = new URL('../../networks/chirpstack/examples/', import.meta.url)
const account = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
  application_id: '17c82e96-be03-4f38-aef3-f83d48582d97',
  device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
}

function example(name: string) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, examples), 'utf8'))
}

/** An organization with a device, and how its ChirpStack posts events of it. */
async function connect(devEui: string, as: Login) {
  await addLocalDevice(service, devEui, {}, as)
  const { callback } = await connectAccount(service, 'chirpstack', account, as)
  const { url, header, value } = callback
  return async (event: string, message: Record<string, unknown>) => {
    const deviceInfo = { ...(message.deviceInfo as object), devEui: devEui.toLowerCase() }
    const answer = await service.call('POST', `${new URL(url).pathname}?event=${event}`, {
      as: null,
      headers: { [header]: value, 'content-type': 'application/json' },
      body: { ...message, deviceInfo },
    })
    assert.equal(answer.status, 200, answer.text)
  }
}

const post = await connect('00AA000000000001', service.owner)
const postTheirs = await connect('00AA000000000002', other)

function up(id: number, time: string, gateways: number[]) {
  const key = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
  const rxInfo = gateways.map((number) => ({
    gatewayId: `00bb00000000000${number}`,
    rssi: -60,
    snr: 7,
  }))
  return { ...example('up'), deduplicationId: key, time, rxInfo }
}

async function countsOf(number: number, as = service.owner) {
  const { uplinks, downlinks, first_seen, last_seen } = await readLiteGateway(service, number, as)
  return [uplinks, downlinks, first_seen, last_seen]
}

// shows 2.8.8-10
test('every gateway that heard an uplink counts it, once however often it is told', async () => {
  for (const number of [1, 2, 3]) await addGateway(service, number)
  const first = up(1, '2026-02-01T10:00:00.123456Z', [1, 2, 9])
  await post('up', first)
  await post('up', first)
  await Promise.all([
    post('up', up(2, '2026-02-01T12:00:00Z', [1])),
    post('up', up(3, '2026-02-01T09:00:00Z', [1])),
    post('up', up(4, '2026-02-01T11:00:00Z', [1])),
  ])
  assert.deepEqual(await countsOf(1), [4, 0, '2026-02-01 09:00:00', '2026-02-01 12:00:00'])
  assert.deepEqual(await countsOf(2), [1, 0, '2026-02-01 10:00:00', '2026-02-01 10:00:00'])
  assert.deepEqual(await countsOf(3), [0, 0, '--', '--'])
})

// shows 2.8.11
test('the gateway that transmitted a downlink counts it, once', async () => {
  await addGateway(service, 4)
  const sent = { ...example('txack'), gatewayId: '00bb000000000004' }
  await post('txack', sent)
  await post('txack', sent)
  const [uplinks, downlinks] = await countsOf(4)
  assert.deepEqual([uplinks, downlinks], [0, 1])
})

test('a downlink sent in a far future does not make its gateway last seen then', async () => {
  await addGateway(service, 8)
  const sent = { ...example('txack'), gatewayId: '00bb000000000008', fCntDown: 8 }
  await post('txack', { ...sent, time: '9999-12-31T23:59:59Z' })
  const [, downlinks, first, last] = await countsOf(8)
  const now = new Date().toISOString().slice(0, 16).replace('T', ' ')
  assert.deepEqual([downlinks, first <= `${now}:59`, last <= `${now}:59`], [1, true, true], last)
})

test('an uplink touches only the gateways of its own organization and network', async () => {
  await addGateway(service, 5)
  await addGateway(service, 6, { gateway_bridge: 'other' })
  await addGateway(service, 5, {}, other)
  await postTheirs('up', up(50, '2026-02-01T10:00:00Z', [5, 6]))
  assert.deepEqual(await countsOf(5), [0, 0, '--', '--'])
  assert.deepEqual(await countsOf(6), [0, 0, '--', '--'])
  assert.equal((await countsOf(5, other))[0], 1)
  await post('up', up(51, '2026-02-01T10:00:00Z', [6]))
  assert.deepEqual(await countsOf(6), [0, 0, '--', '--'])
})

// shows 1.4.14
test('a gateway registered again begins again', async () => {
  const { id } = await addGateway(service, 7)
  await post('up', up(70, '2026-02-01T10:00:00Z', [7]))
  await service.call('DELETE', `/v1/gateways/${id}`)
  await post('up', up(71, '2026-02-01T10:00:00Z', [7]))
  await addGateway(service, 7)
  assert.deepEqual(await countsOf(7), [0, 0, '--', '--'])
})

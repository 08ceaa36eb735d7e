import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, gatewayCreation as creation, gatewayEuiOf } from '../../../../test/fleet.ts'
import {
  batchUrl,
  created,
  deleted,
  deletion,
  notFound,
  refused,
  sendBatch,
  taken,
  update,
  updated,
} from '../../../../test/gateway-batches.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** What the items of a batch do. */

const service = await startTestService({ after })
const { db } = service.services
const send = (gateways: unknown, as?: Login) => sendBatch(service, gateways, as)

async function read(id: number | string, as: Login = service.owner) {
  const answer = await service.call('GET', `/v1/gateways/${id}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.gateway
}

// shows 4.27.2, 4.27.11, 4.27.13-15, 4.27.17-19, 4.27.21
test('creates, updates and deletes, with one entry per item in order', async () => {
  const [first, second] = [await addGateway(service, 1), await addGateway(service, 2)]
  const data = await send([
    deletion(first.id),
    creation(3),
    update(second.id, 'Tower'),
    deletion(999_999),
    creation(4, { gatewayEui: 'short' }),
    update(999_998, 'None'),
  ])
  const made = await read(gatewayEuiOf(3))
  assert.deepEqual(data, [
    deleted(first.id),
    created(3, made.id),
    updated(second.id),
    notFound('delete', 999_999),
    refused('create', ['The gateway EUI must be 16 characters.'], 'short'),
    notFound('update', 999_998),
  ])
  assert.equal((await read(second.id)).gateway_name, 'Tower')
  assert.equal((await read(second.id)).gateway_ip, second.gateway_ip)
  assert.equal((await service.call('GET', `/v1/gateways/${first.id}`)).status, 404)
  assert.equal(made.gateway_name, 'Gateway 3')
  assert.equal(made.register_status, 'pending')
  assert.equal(made.user.identity.email, 'owner@example.test')
})

test('answers creations with the ids that their gateways have', async () => {
  const data = await send([creation(12), null, creation(10), creation(12), creation(11)])
  for (const [index, number] of [
    [0, 12],
    [2, 10],
    [4, 11],
  ] as const) {
    assert.deepEqual(data[index], created(number, (await read(gatewayEuiOf(number))).id))
  }
  assert.deepEqual(data[3], taken(12))
})

// shows 4.27.6
test('takes only the fields of the contract, whatever network', async () => {
  const bridges = [
    'thethingsnetwork',
    'loriot',
    'kerlink',
    'actility',
    'aws_iot_core_lora',
    'other',
  ]
  const data = await send(bridges.map((gatewayBridge, at) => creation(130 + at, { gatewayBridge })))
  for (const [at, { message }] of data.entries()) {
    assert.equal(message, 'Gateway has been created successfully.', `item ${at}`)
  }
})

// shows 4.27.6
test('keeps all that was said of a gateway', async () => {
  const name = 'Café 門'
  const more = { gatewayName: name, description: 'North side', gatewayIp: '2001:db8::1' }
  await send([
    creation(15, { ...more, appRegion: 'US915' }),
    creation(16, { gatewayBridge: 'thethingsnetwork', frequencyPlan: 'EU_863_870', zoneId: 'eu1' }),
  ])
  const rows = await db.query(
    `select name, ip, description, region, network, settings, register_method
     from gateways where eui = any($1) order by eui`,
    [[gatewayEuiOf(15), gatewayEuiOf(16)]],
  )
  assert.deepEqual(rows, [
    {
      name,
      ip: '2001:db8::1',
      description: 'North side',
      region: 'US915',
      network: 'chirpstack',
      settings: {},
      register_method: 'user_account',
    },
    {
      name: 'Gateway 16',
      ip: '192.168.2.1',
      description: null,
      region: 'EU868',
      network: 'thethingsnetwork',
      settings: { frequency_plan: 'EU_863_870', zone_id: 'eu1' },
      register_method: 'user_account',
    },
  ])
})

// shows 4.27.8
test('takes the gateway id of LORIOT by each of its names', async () => {
  const loriot = {
    gatewayBridge: 'network_key_4',
    brand: 'kerlink',
    model: 'evolution',
    concentrator: 'kerlink_femtocell',
    bus: 'SPI',
  }
  const names = ['loriotGateway', 'network_key_4Gateway', '<network_key_4>Gateway']
  const id = '7076FFFFFF053A13'
  await send(names.map((name, index) => creation(20 + index, { ...loriot, [name]: id })))
  for (const [index] of names.entries()) {
    const { gateway_bridge, config_json } = await read(gatewayEuiOf(20 + index))
    assert.deepEqual([gateway_bridge, config_json.loriot_gateway], ['loriot', id])
  }
})

test('takes the region for the ISM band of ThingPark', async () => {
  const thingPark = { gatewayBridge: 'actility', model: 'KERLINK/iStation', appRegion: 'AU915' }
  await send([creation(25, thingPark)])
  const { config_json } = await read(gatewayEuiOf(25))
  assert.deepEqual(config_json, { model: 'KERLINK/iStation', ism_band: 'AU915' })
})

test('a gateway of kind other is active at once, each with a token of its own', async () => {
  await send([27, 28].map((number) => creation(number, { gatewayBridge: 'other' })))
  const tokens = await Promise.all(
    [27, 28].map(async (number) => {
      const { body } = await service.call('GET', `/v1/gateways/${gatewayEuiOf(number)}`)
      assert.equal(body.gateway.register_status, 'active')
      return body.gateway_configs.authorisation_token
    }),
  )
  for (const token of tokens) assert.match(token, /^[\w-]{43}$/)
  assert.notEqual(tokens[0], tokens[1])
})

test('takes the action in any case and answers it in lower case', async () => {
  const { id } = await addGateway(service, 30)
  const data = await send([
    creation(31, { action: 'CREATE' }),
    { ...update(id, 'Tower'), action: 'Update' },
    { ...deletion(id), action: 'deLete' },
  ])
  const made = await read(gatewayEuiOf(31))
  assert.deepEqual(data, [created(31, made.id), updated(id), deleted(id)])
})

test('takes an EUI once per network, also within the batch: the first wins', async () => {
  const other = await foundOrganization(service, 'taken@example.test')
  await addGateway(service, 40, {}, other)
  await addGateway(service, 41)
  const lower = gatewayEuiOf(42).toLowerCase()
  const data = await send([
    creation(40),
    creation(41),
    creation(42),
    creation(42, { gatewayEui: lower, gatewayName: 'Second' }),
    creation(42, { gatewayBridge: 'other', gatewayEui: lower }),
    creation(43, { gatewayName: '' }),
    creation(43),
  ])
  const statuses = data.map(({ status }: { status: boolean }) => status)
  assert.deepEqual(statuses, [true, false, true, false, true, false, true])
  assert.deepEqual(data[1], taken(41))
  assert.deepEqual(data[3], { ...taken(42), gatewayEui: lower })
  assert.equal((await read(data[2].gatewayId)).gateway_name, 'Gateway 42')
  const elsewhere = await read(data[4].gatewayId)
  assert.deepEqual([elsewhere.gateway_bridge, elsewhere.gateway_eui], ['other', lower])
})

test('leaves the gateways of others alone', async () => {
  const other = await foundOrganization(service, 'alone@example.test')
  const { id } = await addGateway(service, 50, {}, other)
  const data = await send([update(id, 'Mine'), deletion(id)])
  assert.deepEqual(data, [notFound('update', id), notFound('delete', id)])
  assert.equal((await read(id, other)).gateway_name, 'Gateway 50')
})

test('answers each item in the world that those before it leave behind', async () => {
  const { id } = await addGateway(service, 60)
  const data = await send([
    creation(60),
    update(id, 'One'),
    update(id, 'Two'),
    deletion(id),
    update(id, 'Gone'),
    deletion(id),
    creation(60, { gatewayName: 'New' }),
    creation(60),
  ])
  const made = await read(gatewayEuiOf(60))
  assert.deepEqual(data, [
    taken(60),
    updated(id),
    updated(id),
    deleted(id),
    notFound('update', id),
    notFound('delete', id),
    created(60, made.id),
    taken(60),
  ])
  assert.equal(made.gateway_name, 'New')
  assert.notEqual(made.id, id)
  assert.deepEqual((await send([update(made.id, 'One'), update(made.id, 'Two')])).length, 2)
  assert.equal((await read(made.id)).gateway_name, 'Two')
})

// shows 4.27.24
test('needs manage_gateways', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_gateways'])
  const body = { gateways: [creation(70)] }
  assert.equal((await service.call('POST', batchUrl, { as: reader, body })).status, 403)
  assert.equal((await service.call('POST', batchUrl, { as: null, body })).status, 401)
  const [entry] = await send(body.gateways, writer)
  assert.equal((await read(entry.gatewayId)).user.identity.email, 'writer@example.test')
})

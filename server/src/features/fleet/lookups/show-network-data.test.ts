import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { networks } from '../../../networks/index.ts'

const service = await startTestService({ after })
const member = await joinMember(service, 'ada@example.test')
const other = await foundOrganization(service, 'bo@example.test')

function show(query: string) {
  return service.call('GET', `/v1/network-data${query}`, { as: member })
}

// shows 2.9.3, 4.8.3
test('gives the gateways of the organization on the network, with their users', async () => {
  const gateway = await addGateway(service, 1)
  await addGateway(service, 2, { gateway_bridge: 'other' })
  await addGateway(service, 3, {}, other)
  for (const name of ['chirpstack', 'network_key_9', '%3Cnetwork_key_9%3E']) {
    const { status, body } = await show(`?gateway=${name}`)
    assert.equal(status, 200)
    assert.deepEqual(body.gateways, [
      {
        id: gateway.id,
        name: 'Gateway 1',
        gateway_bridge: 'chirpstack',
        gateway_ip: '192.168.2.1',
        gateway_eui: gateway.gateway_eui,
        bridge: 'ChirpStack v4',
        created_at: 'Mar 01, 2026 12:00 PM',
        uuid: gateway.uuid,
        user: gateway.user,
      },
    ])
    assert.equal(body.regions.length, 10)
    assert.deepEqual(body.frequencyPlans, [])
  }
})

test('gives the frequency plans of the network, and the gateways of its LoRa variant', async () => {
  const { body } = await show('?gateway=thethingsnetwork')
  assert.deepEqual(body.gateways, [])
  assert.deepEqual(body.frequencyPlans[0], {
    id: 'EU_863_870',
    name: 'Europe 863-870 MHz (SF12 for RX2)',
    base_frequency: 868,
  })
  await addGateway(service, 4, { gateway_bridge: 'aws_iot_core_lora', region: 'EU868' })
  for (const key of ['aws_iot_core', 'aws_iot_core_lora']) {
    assert.equal((await show(`?gateway=${key}`)).body.gateways.length, 1)
  }
})

// shows 1.3.2, 4.8.1, 4.8.2, 10.2.13
test('takes the key of each of the nine networks, and each neutral name', async () => {
  const nine = networks.filter(({ id }) => id !== undefined)
  assert.equal(nine.length, 9)
  for (const { key, alias } of nine) {
    const { status, body } = await show(`?gateway=${key}`)
    assert.equal(status, 200, key)
    assert.deepEqual(Object.keys(body).sort(), ['frequencyPlans', 'gateways', 'regions'])
    for (const list of Object.values(body)) assert.ok(Array.isArray(list))
    assert.deepEqual((await show(`?gateway=${alias}`)).body, body)
    assert.deepEqual((await show(`?gateway=%3C${alias}%3E`)).body, body)
  }
})

// shows 2.9.4-7
test('the user of a gateway has the fields of the contract', async () => {
  await addGateway(service, 5)
  const { gateways } = (await show('?gateway=chirpstack')).body
  const { identity, ...user } = gateways[0].user
  assert.deepEqual(user, {
    id: 1,
    timezone_format: 'UTC',
    console_only: false,
    timezone_id: 1,
  })
  const { first_name, last_name, ...known } = identity
  assert.deepEqual([typeof first_name, typeof last_name], ['string', 'string'])
  assert.deepEqual(known, {
    id: 1,
    email: 'owner@example.test',
    last_login: '2026-03-01T12:00:00.000000Z',
    joined_on: '2026-03-01T12:00:00.000000Z',
    activated: true,
  })
})

// shows 4.8.1
test('refuses a network that is missing or unknown', async () => {
  const missing = await show('')
  assert.deepEqual(
    [missing.status, missing.body.errors],
    [422, { gateway: ['The gateway field is required.'] }],
  )
  const unknown = await show('?gateway=lora')
  assert.deepEqual(
    [unknown.status, unknown.body.errors],
    [422, { gateway: ['The selected gateway is invalid.'] }],
  )
})

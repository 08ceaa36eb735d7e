import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { gatewayCreation, gatewayEuiOf, gatewayOf } from '../../../../test/fleet.ts'
import { refused, sendBatch, update, updated } from '../../../../test/gateway-batches.ts'
import { passTime, startConnected } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const atTheThingsStack = {
  gateway_bridge: 'thethingsnetwork',
  frequency_plan: 'EU_863_870_TTN',
  zone_id: 'eu1',
}
const ofKerlink = { gateway_bridge: 'kerlink', brand: 'x', region: 'EU868' }
const tooLong = 'The gateway name may not be greater than 50 characters at The Things Stack.'
const longestAtChirpStack =
  'The gateway name may not be greater than 100 characters at ChirpStack v4.'

test('a name that is too long for the network is 422 before anything is registered', async (t) => {
  const service = await startTestService(t)
  const post = (body: object) => service.call('POST', '/v1/gateways', { body })
  const long = 'x'.repeat(51)
  const wrong = await post(gatewayOf(1, { ...atTheThingsStack, gateway_name: long }))
  assert.equal(wrong.status, 422, wrong.text)
  assert.deepEqual(wrong.body.errors, { gateway_name: [tooLong] })
  const asForm = { ...gatewayOf(1, atTheThingsStack), gatewayName: long }
  const { gateway_name: _, ...named } = asForm
  assert.deepEqual((await post(named)).body.errors, { gatewayName: [tooLong] })

  const created = await post(gatewayOf(1, { ...atTheThingsStack, gateway_name: 'x'.repeat(50) }))
  assert.equal(created.status, 200, created.text)
  const { id } = created.body.gateway
  const body = { gateway_name: long }
  const renamed = await service.call('PATCH', `/v1/gateways/${id}`, { body })
  assert.equal(renamed.status, 422, renamed.text)
  assert.deepEqual(renamed.body.errors, { gateway_name: [tooLong] })

  const name = 'x'.repeat(101)
  const entries = await sendBatch(service, [
    gatewayCreation(2, { gatewayName: name }),
    update(id, long),
    update(id, 'Roof'),
  ])
  assert.deepEqual(entries, [
    refused('create', [longestAtChirpStack], gatewayEuiOf(2)),
    refused('update', [tooLong]),
    updated(id),
  ])
})

test('a description that is too long for the network is 422', async (t) => {
  const service = await startTestService(t)
  const body = gatewayOf(3, { ...ofKerlink, description: 'x'.repeat(256) })
  const answer = await service.call('POST', '/v1/gateways', { body })
  assert.match(answer.body.errors.description[0], /may not be greater than 255 characters at /)
})

test('what the network refuses of four gateways is told with them, and stops no other', async (t) => {
  const { service, simulator } = await startConnected(t)
  const create = async (number: number) => {
    const answer = await service.call('POST', '/v1/gateways', { body: gatewayOf(number) })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.gateway
  }
  const tooLongThere = async () => {
    const words = 'value too long for type character varying(100)'
    simulator.faults.refusals['/api.GatewayService/Create'] = {
      code: status.INTERNAL,
      message: words,
    }
    return words
  }
  const words = await tooLongThere()
  for (const number of [1, 2, 3, 4]) {
    const gateway = await create(number)
    assert.equal(gateway.register_status, 'register_error')
    assert.equal(gateway.error_msg, `ChirpStack refused: ${words}.`)
  }
  simulator.faults.refusals = {}
  assert.equal((await create(5)).register_status, 'active')
  const { body } = await service.call('GET', '/v1/network-accounts/chirpstack')
  assert.deepEqual([body.data.status, body.data.message], ['connected', ''])
})

test('a rename that the network does not make leaves the gateway as it is, and says why', async (t) => {
  const { service, simulator } = await startConnected(t)
  const created = await service.call('POST', '/v1/gateways', { body: gatewayOf(1) })
  const path = `/v1/gateways/${created.body.gateway.id}`
  const rename = async (name: string) => {
    await service.call('PATCH', path, { body: { gateway_name: name } })
    await passTime(service)
    const { register_status, error_msg } = (await service.call('GET', path)).body.gateway
    return [register_status, error_msg]
  }
  const fail = (code: status, message: string) => {
    simulator.faults.refusals['/api.GatewayService/Update'] = { code, message }
  }
  fail(status.INVALID_ARGUMENT, 'that name will not do')
  assert.deepEqual(await rename('Refused'), [
    'active',
    'ChirpStack refused: that name will not do.',
  ])
  fail(status.UNAUTHENTICATED, '')
  const [state, words] = await rename('Denied')
  assert.equal(state, 'active')
  assert.match(words, /the API key has no permission for this/)
  simulator.faults.refusals = {}
  assert.deepEqual(await rename('Taken'), ['active', null])
  const [gateway] = simulator.store.gateways.values()
  assert.equal(gateway?.getName(), 'Taken')
})

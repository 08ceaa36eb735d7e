import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { addLocalDevice } from './fleet.ts'
import { gatewayEui } from './network-contract.ts'
import { startTestService } from './service.ts'

/**
 * A gateway of another maker is only recorded, and posts to the service. There is no network to
 * call.
 */

const multitechUplink = new URL('../src/networks/other/examples/multitech-up.json', import.meta.url)

test('takes the uplinks of a gateway by its token, until the gateway is removed', async (t) => {
  const service = await startTestService(t)
  const eui = '0080000000015834'
  await addLocalDevice(service, eui)
  const body = { gateway_bridge: 'other', gateway_name: 'Roof', gateway_eui: gatewayEui }
  const { gateway } = (await service.call('POST', '/v1/gateways', { body })).body
  const path = `/v1/gateways/${gateway.id}`
  const { gateway_configs } = (await service.call('GET', path)).body
  const address = new URL(gateway_configs.download_link).pathname
  const post = (token: string) =>
    service.call('POST', address, {
      as: null,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.parse(readFileSync(multitechUplink, 'utf8')),
    })
  assert.equal((await post('wrong')).status, 401)
  assert.equal((await post(gateway_configs.authorisation_token)).status, 200)
  const uplinks = await service.call('GET', `/v1/devices/${eui}/uplink`)
  assert.equal(uplinks.body.meta.total, 1)
  assert.equal((await service.call('DELETE', path)).status, 204)
  assert.equal((await post(gateway_configs.authorisation_token)).status, 401)
})

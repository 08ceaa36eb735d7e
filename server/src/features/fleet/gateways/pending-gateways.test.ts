import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatewayCreation, gatewayOf, noAccountForGateway } from '../../../../test/fleet.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

// shows 10.2.22
test('a gateway that waits says why, in the answer and with it', async (t) => {
  const service = await startTestService(t)
  const created = await service.call('POST', '/v1/gateways', { body: gatewayOf(1) })
  assert.deepEqual(created.body.warnings, [noAccountForGateway])
  assert.equal(created.body.gateway.error_msg, noAccountForGateway)
  const other = gatewayOf(2, { gateway_bridge: 'other' })
  const recorded = await service.call('POST', '/v1/gateways', { body: other })
  assert.deepEqual([recorded.status, recorded.body.warnings], [200, undefined], recorded.text)

  const gateways = [gatewayCreation(3), gatewayCreation(1), { action: 'delete', gatewayId: 999 }]
  const batch = await service.call('POST', '/v1/batch-gateway-requests', { body: { gateways } })
  const warnings = batch.body.data.map((entry: { warnings?: string[] }) => entry.warnings)
  assert.deepEqual(warnings, [[noAccountForGateway], undefined, undefined])

  await connect(service, await startChirpStack(t))
  await until(async () => {
    const shown = await service.call('GET', `/v1/gateways/${created.body.gateway.id}`)
    const { register_status, error_msg } = shown.body.gateway
    return register_status === 'active' && error_msg === null
  })
})

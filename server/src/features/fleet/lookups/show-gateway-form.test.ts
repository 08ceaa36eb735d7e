import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const member = await joinMember(service, 'ada@example.test')

function show(query: string) {
  return service.call('POST', `/v1/gateways/create${query}`, { as: member })
}

// shows 4.22.3-6, 10.1.23, 10.2.3
test('shows zones and frequency plans of The Things Stack, to any member', async () => {
  const { status, body } = await show('?gatewayType=thethingsnetwork')
  assert.equal(status, 200)
  assert.equal(body.gatewayType, 'thethingsnetwork')
  assert.equal(body.selected_gateway, 'The Things Stack')
  assert.equal(body.page_name, 'Add a gateway to The Things Stack')
  assert.deepEqual(body.zones.nam1, {
    id: 'nam1',
    region: 'North America 1',
    ns_address: 'nam1.cloud.thethings.network',
    as_address: 'nam1.cloud.thethings.network',
    js_address: 'nam1.cloud.thethings.network',
    is_address: 'eu1.cloud.thethings.network',
    app_id: '',
  })
  assert.deepEqual(
    body.frequency_plans.find(({ id }: { id: string }) => id === 'EU_863_870_TTN'),
    {
      id: 'EU_863_870_TTN',
      base_id: 'EU_863_870',
      name: 'Europe 863-870 MHz (SF9 for RX2 - recommended)',
      base_frequency: 868,
    },
  )
})

// shows 1.3.5, 1.3.6, 2.7.7, 4.22.2, 4.22.3, 4.22.7
test('shows a form for each type of gateway, by key or neutral name', async () => {
  const types = [
    ['network_key_3', 'thethingsnetwork'],
    ['<network_key_4>', 'loriot'],
    ['network_key_5_lora', 'aws_iot_core_lora'],
    ['network_key_6', 'kerlink'],
    ['network_key_7', 'actility'],
    ['network_key_9', 'chirpstack'],
    ['other', 'other'],
  ] as const
  for (const [name, key] of types) {
    const { status, body } = await show(`?gatewayType=${encodeURIComponent(name)}`)
    assert.equal(status, 200, name)
    assert.equal(body.gatewayType, key)
    assert.match(body.description, /^<p>[^<>]+<\/p>$/)
    assert.equal(body.gateway_image, `${publicUrl}/images/networks/${key}.svg`)
    const image = await service.call('GET', new URL(body.gateway_image).pathname, { as: null })
    assert.equal(image.status, 200)
    assert.equal(image.headers['content-type'], 'image/svg+xml; charset=utf-8')
    assert.match(image.text, /^<svg .*<\/svg>\n$/s)
  }
})

// shows 4.22.1, 4.22.2
test('refuses a type that is missing, or that takes no gateways', async () => {
  for (const query of ['', '?gatewayType=']) {
    const { status, body } = await show(query)
    const errors = { gatewayType: ['The gateway type field is required.'] }
    assert.deepEqual([status, body.errors], [422, errors])
  }
  for (const type of ['lora', 'machineq', 'network_key_2', 'aws_iot_core', 'everynet']) {
    const { status, body } = await show(`?gatewayType=${type}`)
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { gatewayType: ['The selected gateway type is invalid.'] })
  }
})

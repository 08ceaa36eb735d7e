import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, addGateway, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { networks } from '../../../networks/index.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

async function errorsOf(changes: Record<string, unknown>) {
  const body = registrationOf(1, changes)
  const answer = await service.call('POST', '/v1/devices', { body })
  assert.equal(answer.status, 422, answer.text)
  return answer.body.errors
}

const labels = {
  gatewayId: 'gateway id',
  appRegion: 'app region',
  frequencyPlan: 'frequency plan',
} as const
const fitting = { appRegion: 'EU868', frequencyPlan: 'EU_863_870_TTN' }

// shows 10.6.5
test('requires what the form of the network requires, null and empty being absent', async () => {
  let checked = 0
  for (const { id, forms } of networks) {
    if (id === undefined) continue
    for (const [field, label] of Object.entries(labels)) {
      if (forms.device?.fields[field as keyof typeof labels] !== 'required') continue
      for (const value of [undefined, null, '']) {
        assert.deepEqual(await errorsOf({ ...fitting, network: id, [field]: value }), {
          [field]: [`The ${label} field is required.`],
        })
        checked += 1
      }
    }
  }
  assert.equal(checked, 9)
})

test('requires none of it of a device that no network is told of', async () => {
  const device = await addDevice(service, 2, { network: 5, consoleOnly: true })
  assert.equal(device.device_register_status, 'active')
})

test('names it together with all else that is wrong', async () => {
  const errors = await errorsOf({ network: 5, deviceKey: 'short', deviceName: '' })
  assert.deepEqual(Object.keys(errors).sort(), ['deviceKey', 'deviceName', 'frequencyPlan'])
})

test('does not call missing what is of a wrong type', async () => {
  assert.deepEqual(await errorsOf({ network: 7, appRegion: 5 }), {
    appRegion: ['The app region must be a string.'],
  })
})

// shows 10.6.5
test('checks the frequency plan where the form offers plans', async () => {
  for (const network of [3, 5]) {
    assert.deepEqual(await errorsOf({ network, frequencyPlan: 'EU_1' }), {
      frequencyPlan: ['The selected frequency plan is invalid.'],
    })
  }
  await addDevice(service, 3, { frequencyPlan: 'EU_863_870' })
})

// shows 2.3.5, 4.4.3, 10.6.11
test('the record names the gateway that the device was registered with', async () => {
  const gateway = await addGateway(service, 1, { gateway_name: 'Roof' })
  const device = await addDevice(service, 4, { gatewayId: gateway.id })
  const named = { id: gateway.id, name: 'Roof', gateway_eui: gateway.gateway_eui }
  assert.deepEqual(device.gateway, named)
  const listed = await service.call('GET', `/v1/devices?search=${euiOf(4)}`)
  assert.deepEqual(listed.body.data[0].gateway, named)
  await service.call('DELETE', `/v1/gateways/${gateway.id}`)
  const retrieved = await service.call('GET', `/v1/devices/${euiOf(4)}`)
  assert.equal(retrieved.body.data.gateway, null)
  assert.equal((await addDevice(service, 5)).gateway, null)
})

// shows 10.6.5
test('a device may name a gateway of its network, or one of kind other', async () => {
  const here = await addGateway(service, 2, { gateway_bridge: 'other' })
  await addDevice(service, 6, { gatewayId: here.id })
  const elsewhere = await addGateway(service, 2, {
    gateway_bridge: 'aws_iot_core_lora',
    region: 'EU868',
  })
  const theirs = await addGateway(service, 3, {}, other)
  for (const gatewayId of [elsewhere.id, theirs.id, 999_999, 0, -1]) {
    assert.deepEqual(await errorsOf({ gatewayId }), {
      gatewayId: ['The selected gateway id is invalid.'],
    })
  }
})

test('a gateway is passed over where the form has no field for it', async () => {
  const here = await addGateway(service, 12, { gateway_bridge: 'other' })
  const device = await addDevice(service, 12, { network: 4, gatewayId: here.id })
  assert.equal(device.gateway, null)
})

// shows 10.2.7
test('a device of AWS with a gateway or frequency plan is one of its LoRaWAN service', async () => {
  const gateway = await addGateway(service, 4, {
    gateway_bridge: 'aws_iot_core_lora',
    region: 'EU868',
  })
  const plain = await addDevice(service, 7, { network: 3, deviceKey: 'x'.repeat(32) })
  assert.equal(plain.network_name, 'AWS IoT Core')
  const heard = await addDevice(service, 8, { network: 3, gatewayId: gateway.id })
  const planned = await addDevice(service, 9, { network: 3, frequencyPlan: 'EU868' })
  for (const device of [heard, planned]) {
    assert.equal(device.network_name, 'AWS IoT Core for LoRaWAN')
  }
  const errors = await errorsOf({
    network: 3,
    frequencyPlan: 'EU868',
    deviceKey: 'x'.repeat(32),
  })
  assert.deepEqual(Object.keys(errors), ['deviceKey'])
})

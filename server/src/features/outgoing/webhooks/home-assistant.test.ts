import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { addGroup, euiOf } from '../../../../test/fleet.ts'
import { type Mosquitto, noMosquitto, startMosquitto } from '../../../../test/mosquitto.ts'
import { until } from '../../../../test/until.ts'
import { startWebhookTest } from '../../../../test/webhooks.ts'
import { deviceTypes } from '../../../sensors/index.ts'
import { unitOf } from '../../../sensors/measurements.ts'
import { componentsOfOwn, componentsOfType, makeAnnouncement } from './discovery-message.ts'

const service = await startWebhookTest({ after })
const { call, send, create, show, uplink } = service
beforeEach(service.removeAll)

const login = { username: 'lora', password: 'secret' }
const discovery = { ...login, discovery: true }
const configOf = (device: number) => `homeassistant/device/lora_1_${euiOf(device)}/config`
const ofConfig = ({ received }: Mosquitto, device: number) =>
  received.filter(({ topic }) => topic === configOf(device)).map(({ payload }) => String(payload))
const retainedTopics = async (broker: Mosquitto) =>
  (await broker.retained()).map(({ topic }) => topic).filter((topic) => /config$/.test(topic))

test('announces a device before its first state, and again when it has changed', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const { id, mqtt } = await create({ url, mqtt: discovery })
  assert.deepEqual([mqtt.discovery_prefix, mqtt.retain], ['homeassistant', true])
  await uplink(1)
  await uplink(1)
  await send()
  await broker.receives(3)
  const [first, second] = broker.received
  assert.deepEqual([first?.topic, second?.topic], [configOf(1), `lora/1/${euiOf(1)}/uplink`])
  const config = JSON.parse(String(first?.payload))
  assert.deepEqual(config.device.identifiers, [`lora_1_${euiOf(1)}`])
  assert.equal(config.device.model, 'LoRa Door/Window')
  assert.deepEqual(config.origin, { name: 'LoRa fleet console' })
  const { state, battery, rssi, tamper } = config.components
  assert.deepEqual(
    [state.platform, state.device_class, state.payload_on, state.payload_off],
    ['binary_sensor', 'opening', 'open', 'closed'],
  )
  assert.equal(state.state_topic, second?.topic)
  assert.equal(state.unique_id, `lora_1_${euiOf(1)}_state`)
  assert.match(state.value_template, /event_type == 'DOOR_SENSOR'/)
  assert.deepEqual(
    [battery.unit_of_measurement, battery.device_class, battery.entity_category],
    ['V', 'voltage', 'diagnostic'],
  )
  assert.deepEqual([rssi.unit_of_measurement, rssi.device_class], ['dBm', 'signal_strength'])
  assert.equal(tamper.device_class, 'tamper')
  assert.deepEqual(await retainedTopics(broker), [configOf(1)])

  const name = `"}}{{ states('x') }} +#/`
  await call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { device_name: name } })
  await uplink(1)
  await send()
  await until(() => ofConfig(broker, 1).length === 2, 'announced again')
  const renamed = JSON.parse(ofConfig(broker, 1)[1] ?? '')
  assert.equal(renamed.device.name, name)
  assert.ok(!JSON.stringify(renamed.components).includes('states('), 'a name is no template')

  assert.equal((await call('POST', `/v1/webhooks/${id}/test`)).body.data.delivered, true)
  await uplink(1)
  await send()
  await until(() => ofConfig(broker, 1).length === 3, 'the test button announces again')
})

test('takes announcements back when devices or the option go', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const { body: list } = await call('GET', '/v1/fleet/devices')
  const idOf = (number: number): number =>
    list.data.find((device: { device_id: string }) => device.device_id === euiOf(number)).id
  const groupId = await addGroup(service, 'Home', { selectedDevices: [1, 2, 3].map(idOf) })
  const { id } = await create({ url, mqtt: discovery, group: groupId })
  for (const device of [1, 2, 3]) await uplink(device)
  await send()
  assert.deepEqual((await retainedTopics(broker)).sort(), [1, 2, 3].map(configOf))

  const remove = { remove: [idOf(3)] }
  const left = await call('POST', `/v1/fleet/groups/${groupId}/devices`, { body: remove })
  assert.equal(left.status, 200, left.text)
  await send(6)
  assert.deepEqual((await retainedTopics(broker)).sort(), [1, 2].map(configOf))
  assert.deepEqual((await show(id)).health.failures, 0)

  const change = (mqtt: object) => call('PATCH', `/v1/webhooks/${id}`, { body: { mqtt } })
  assert.equal((await change({ discovery: false })).status, 200)
  await send()
  assert.deepEqual(await retainedTopics(broker), [])
  await change({ discovery: true, discovery_prefix: 'homeassistant/two' })
  await uplink(1)
  await send()
  const other = configOf(1).replace('homeassistant/', 'homeassistant/two/')
  assert.deepEqual(await retainedTopics(broker), [other])
  assert.equal((await call('DELETE', `/v1/webhooks/${id}`)).status, 204)
  assert.deepEqual(await retainedTopics(broker), [])
})

test('takes announcements back at the former host when the address changes', {
  skip: noMosquitto,
}, async (t) => {
  const [former, next] = [await startMosquitto(t), await startMosquitto(t)]
  const { id } = await create({ url: `mqtt://127.0.0.1:${former.port}`, mqtt: discovery })
  await uplink(1)
  await send()
  assert.deepEqual(await retainedTopics(former), [configOf(1)])
  const moveTo = async (url: string) => {
    await send(1)
    const { status, text } = await call('PATCH', `/v1/webhooks/${id}`, {
      body: { url, mqtt: login },
    })
    assert.equal(status, 200, text)
    await uplink(1)
    await send()
  }
  await moveTo(`mqtt://localhost:${next.port}`)
  assert.deepEqual(await retainedTopics(former), [])
  assert.deepEqual(await retainedTopics(next), [configOf(1)])
  await moveTo(`mqtt://localhost:${former.port}`)
  const atBoth = [await retainedTopics(former), await retainedTopics(next)]
  assert.deepEqual(atBoth, [[configOf(1)], [configOf(1)]], 'the same host is the same broker')
})

test('keeps the state back while the announcement fails, and takes back what another has not', {
  skip: noMosquitto,
}, async (t) => {
  const broker = await startMosquitto(t)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const denied = await create({ url, mqtt: { ...discovery, discovery_prefix: 'denied' } })
  await uplink(1)
  await send()
  const { health } = await show(denied.id)
  assert.deepEqual([health.state, health.waiting], ['failing', 1])
  assert.equal(health.message, '135: Home Assistant discovery: Not authorized')
  assert.equal(broker.received.length, 0)
  await call('PATCH', `/v1/webhooks/${denied.id}`, {
    body: { mqtt: { discovery_prefix: 'homeassistant' } },
  })
  await send(10)
  await broker.receives(2)
  assert.equal((await show(denied.id)).health.state, 'healthy')

  const other = await create({ url, mqtt: { ...discovery, topic: 'site/{device}' } })
  await uplink(1)
  await send()
  await call('DELETE', `/v1/webhooks/${denied.id}`)
  assert.deepEqual(await retainedTopics(broker), [configOf(1)], 'the other one announces it too')
  await call('DELETE', `/v1/webhooks/${other.id}`)
  assert.deepEqual(await retainedTopics(broker), [])

  const last = await create({ url, mqtt: discovery })
  await uplink(3)
  await send()
  assert.deepEqual(await retainedTopics(broker), [configOf(3)])
  assert.equal((await call('DELETE', `/v1/devices/${euiOf(3)}`)).status, 204)
  await send(6)
  assert.deepEqual(await retainedTopics(broker), [], 'the device is deleted')
  assert.equal((await show(last.id)).health.state, 'healthy')
})

test('refuses topics and events that cannot serve', async () => {
  const url = 'mqtts://broker.example.test'
  const refused = async (mqtt: object, events = ['uplink']) => {
    const body = { name: 'x', url, events, mqtt }
    const answer = await call('POST', '/v1/webhooks', { body })
    assert.equal(answer.status, 422, answer.text)
    return answer.body.errors
  }
  const fault = await refused({ discovery: true, topic: 'lora/{device_name}' })
  assert.match(fault['mqtt.discovery'][0], /needs \{device\} in the topic/)
  const events = await refused({ discovery: true }, ['join'])
  assert.match(events['mqtt.discovery'][0], /needs uplinks/)
  for (const prefix of ['a//b', 'a/+', '$a', '{device}', 'x'.repeat(101)]) {
    const { 'mqtt.discovery_prefix': message } = await refused({ discovery_prefix: prefix })
    assert.match(message[0], /discovery prefix/)
  }
})

test('has components for every device type, with ids of their own', () => {
  let count = 0
  for (const { typeId } of deviceTypes) {
    const components = componentsOfType(typeId) ?? {}
    for (const key of ['battery', 'batteryLow', 'tamper', 'rssi', 'snr']) {
      assert.ok(components[key], `${typeId} ${key}`)
    }
    for (const [key, { platform, unit_of_measurement }] of Object.entries(components)) {
      assert.match(key, /^\w+$/)
      const unit = unitOf(key.replace(/_\d$/, ''))
      if (unit && platform === 'sensor') assert.equal(unit_of_measurement, unit, key)
      count += 1
    }
  }
  assert.ok(count > 250, `${count}`)
  assert.ok(componentsOfType(124)?.velocity_4, 'of each channel')
  assert.equal(componentsOfType(120)?.position?.platform, 'device_tracker')
  assert.equal(componentsOfType(105)?.state?.platform, 'event')
})

test('announces what the codec of an own type gives, and what it no longer has', () => {
  const mqtt = {
    ...{ topic: 'lora/{device}', retain: true, discovery: true, discovery_prefix: 'homeassistant' },
    ...{ username: null, ca_certificate: null, client_certificate: null },
    ...{ has_password: false, has_client_key: false },
  }
  const device = {
    ...{ device_id: 1, device_eui: euiOf(1), device_name: 'Own', network: 'chirpstack' },
    device_type_id: 100_001,
    decoded_object: { level: 3, "a']}}{{ 1 }}": 4, isOpen: true, text: 'x', rssi: 1 },
  }
  const first = makeAnnouncement(mqtt, 1, device, undefined)
  assert.deepEqual(
    first.components.filter((text) => !/rssi|snr/.test(text)),
    ['sensor level', 'binary_sensor isOpen'],
  )
  const again = { ...device, decoded_object: { other: 1 } }
  const next = makeAnnouncement(mqtt, 1, again, first)
  assert.deepEqual(next.components.slice(0, 3), [...first.components.slice(0, 2), 'sensor other'])
  assert.equal(makeAnnouncement(mqtt, 1, again, next).digest, next.digest)
  const door = makeAnnouncement(mqtt, 1, { ...device, device_type_id: 16 }, next)
  assert.deepEqual(JSON.parse(door.payload).components.level, { platform: 'sensor' })
  assert.equal(door.digest, null, 'it is sent once more without what is gone')
  const clean = makeAnnouncement(mqtt, 1, { ...device, device_type_id: 16 }, door)
  assert.equal(JSON.parse(clean.payload).components.level, undefined)
  const nested = { air: { value: 21.5, unit: '°C', displayName: 'Air' }, probes: [3, 4] }
  const inner = makeAnnouncement(mqtt, 1, { ...device, decoded_object: nested }, undefined)
  const { air_value: air, probes_1: probe } = JSON.parse(inner.payload).components
  assert.deepEqual(
    [air.name, air.unit_of_measurement, air.device_class],
    ['Air', '°C', 'temperature'],
  )
  assert.match(air.value_template, /\(d\['air'\] \| default\(\{\}\)\)\['value'\]/)
  assert.match(probe.value_template, /\(d\['probes'\] \| default\(\[\]\)\)\[1\]/)
  const less = makeAnnouncement(mqtt, 1, { ...device, decoded_object: { probes: [] } }, inner)
  assert.equal(less.digest, inner.digest, 'a value that an uplink leaves out stays as it was')
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`k${index}`, index]))
  assert.equal(Object.keys(componentsOfOwn(many, [])).length, 42)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import gwPb from '@chirpstack/chirpstack-api/gw/gw_pb.js'
import integrationPb from '@chirpstack/chirpstack-api/integration/integration_pb.js'
import { receiveEvents } from '../../test/callback-receiver.ts'
import { connectToChirpStack, doorSensor } from '../../test/network-connections.ts'

// google-protobuf has no reader of proto3 JSON, so every member is held against the accessors
// that the official package generated for the message it stands in.
const messages: Record<string, { prototype: object }> = {
  up: integrationPb.UplinkEvent,
  join: integrationPb.JoinEvent,
  ack: integrationPb.AckEvent,
  txack: integrationPb.TxAckEvent,
  log: integrationPb.LogEvent,
  '*.deviceInfo': integrationPb.DeviceInfo,
  'up.rxInfo': gwPb.UplinkRxInfo,
  'up.txInfo': gwPb.UplinkTxInfo,
  'txack.txInfo': gwPb.DownlinkTxInfo,
  '*.modulation': gwPb.Modulation,
  '*.lora': gwPb.LoraModulationInfo,
  '*.location': commonPb.Location,
}

/** Returns how many members it has checked. */
function checkMessage(path: string, body: object): number {
  const Message = messages[path] ?? messages[path.replace(/.*\./, '*.')]
  assert.ok(Message, `no message is known for ${path}`)
  let count = 0
  for (const [name, value] of Object.entries(body)) {
    count += 1
    const capital = `${name[0]?.toUpperCase()}${name.slice(1)}`
    if (`get${capital}Map` in Message.prototype) continue
    const setter = Array.isArray(value) ? `set${capital}List` : `set${capital}`
    assert.ok(setter in Message.prototype, `${path} has no member ${name}`)
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (typeof inner === 'object') count += checkMessage(`${path}.${name}`, inner)
    }
  }
  return count
}

test('emits events with the members of the official integration messages', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const received = await receiveEvents(context, simulator)
  await connection.gateways.add({ gatewayEui: '00BB000000000001', name: 'Roof' })
  await connection.addDevice(doorSensor)
  const downlink = { devEui: doorSensor.devEui, fPort: 2, confirmed: true }
  await connection.queueDownlink({ ...downlink, payload: Buffer.alloc(8, 1) })
  await simulator.sendUplink(doorSensor.devEui)
  await connection.queueDownlink({ ...downlink, payload: Buffer.alloc(230) })
  await simulator.sendUplink(doorSensor.devEui)
  assert.deepEqual(
    new Set(received.map(({ event }) => event)),
    new Set(['join', 'up', 'txack', 'ack', 'log']),
  )
  for (const { event, body } of received) assert.ok(checkMessage(event, body) > 12, event)
})

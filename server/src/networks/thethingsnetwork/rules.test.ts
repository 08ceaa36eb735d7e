import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connectToStack,
  failsWith,
  plannedSensor,
  readStackDevice,
} from '../../../test/network-connections.ts'

/** Refusals by the rules of api/ttn/lorawan/v3, in the innermost words of the answer. */

const { devEui } = plannedSensor
const gatewayEui = '00BB0000000000B1'
const callback = { url: 'https://fleet.example.test/x', header: 'X-Secret', value: 's' }
const long = 'ü'.repeat(51)
const tooLong = failsWith(
  'refused',
  /^The Things Stack refused: name: value length must be at most 50 runes\.$/,
)

test('tells that a name is too long, of devices and gateways', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await assert.rejects(connection.addDevice({ ...plannedSensor, name: long }), tooLong)
  assert.equal(readStackDevice(simulator), undefined)
  await connection.addDevice({ ...plannedSensor, name: long.slice(1) })
  await assert.rejects(connection.renameDevice(devEui, long), tooLong)
  await assert.rejects(connection.gateways.add({ gatewayEui, name: long }), tooLong)
  await connection.gateways.add({ gatewayEui, name: 'Roof' })
  await assert.rejects(connection.gateways.update({ gatewayEui, name: long }), tooLong)
})

test('tells what is wrong with a webhook, and with a downlink', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await assert.rejects(
    connection.setCallback({ ...callback, url: '/not-absolute' }),
    failsWith('refused', /base_url: value must be absolute/),
  )
  await assert.rejects(
    connection.setCallback({ ...callback, header: 'x'.repeat(65) }),
    failsWith('refused', /headers\[x+\]: value length must be at most 64 runes/),
  )
  await assert.rejects(
    connection.setCallback({ ...callback, value: 'x'.repeat(4097) }),
    failsWith('refused', /headers\[X-Secret\]: value length must be at most 4096 runes/),
  )
  await connection.addDevice(plannedSensor)
  await simulator.settle()
  const send = (fPort: number, length: number) =>
    connection.queueDownlink({ devEui, fPort, payload: Buffer.alloc(length), confirmed: false })
  await assert.rejects(send(224, 1), failsWith('refused', /f_port: value must not be in list/))
  await assert.rejects(send(2, 256), failsWith('refused', /frm_payload: .* at most 255 bytes/))
  await assert.rejects(
    send(2, 243),
    failsWith('refused', /payload length `243` exceeds maximum '242'/),
  )
  await assert.rejects(send(2, 0), failsWith('refused', /no payload/))
})

test('asks a server for nothing that it does not keep', async (t) => {
  const { simulator, store, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  const headers = { authorization: `Bearer ${store.apiKey}` }
  const ask = async (part: string, mask: string) => {
    const path = `${part}/applications/fleet-app/devices/eui-00aa000000000001`
    const url = `${simulator.http.address}/api/v3/${path}?field_mask=${mask}`
    const answer = await fetch(url, { headers })
    return [answer.status, ((await answer.json()) as { message?: string }).message]
  }
  assert.deepEqual(await ask('ns', 'mac_state.recent_downlinks'), [200, undefined])
  const forbidden = [
    400,
    'error:pkg/rpcmiddleware/validator:field_mask_paths (forbidden path(s) in field mask)',
  ]
  assert.deepEqual(await ask('ns', 'root_keys.app_key.key'), forbidden)
  assert.deepEqual(await ask('as', 'frequency_plan_id'), forbidden)
  assert.deepEqual(await ask('js', 'session'), forbidden)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)

let devices = 0
async function makeDevice(): Promise<{ id: number; eui: string }> {
  devices += 1
  const eui = `00AA00000000000${devices}`
  return { id: await addLocalDevice(service, eui), eui }
}

/** A frame that the network received so many seconds after noon. */
function makeFrame(eui: string, hex: string, seconds: number) {
  return makeUp({ eui, hex, time: new Date(Date.UTC(2026, 1, 28, 12, 0, seconds)).toISOString() })
}

async function send(up: ReturnType<typeof makeUp>): Promise<void> {
  assert.equal((await post(service, callback, up)).status, 200)
}

async function list(eui: string) {
  const { body } = await service.call('GET', `/v1/devices/${eui}/uplink`)
  return body.data.reverse()
}

function countMemories(deviceId: number) {
  return service.services.db.query(
    'select from frame_memories where organization_id = 1 and device_id = $1',
    [deviceId],
  )
}

// RadioBridge/Packet-Decoder, tests/CondensedFFt.test.ts.
const report = '101c000100139f'
const totals = ['112000001e0022000c000e', '12201000130006001a0005'] as const
const peaks = ['1320200009000400010001', '1420300001000100000000'] as const

test('frames of a spectrum are read together, each in a transaction of its own', async () => {
  const { eui } = await makeDevice()
  const frames = [report, ...totals, ...peaks].map((hex, at) => makeFrame(eui, hex, at))
  for (const frame of frames) {
    await send(frame)
    // What is repeated changes nothing.
    await send(frame)
  }
  const uplinks = await list(eui)
  assert.deepEqual(
    uplinks.map((uplink: { sensor_sequence: number[] }) => uplink.sensor_sequence),
    [[0], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]],
  )
  const total = uplinks[2]
  assert.equal(total.event_type, 'VIBRATION_CONDENSED_FFT_ENERGY_PART')
  assert.equal(total.decoded_object.eventDescription, 'Total Energy Values')
  assert.equal(total.decoded_object.velocity10To20Hz, 0.00205)
  assert.equal(total.decoded_object.velocityAbove231Hz, 0.00034)
  assert.match(total.decoded_message, /<br>10-20 Hz: 0\.00205 inches\/sec<br>/)
  assert.equal(uplinks[4].decoded_object.peakVelocity10To20Hz, 0.00062)
  const { body } = await service.call('GET', `/v1/devices/${eui}`)
  assert.equal(body.data.device_status.current_sensor_state, '0.01 in/s, 0 g')
})

test('frames of a spectrum are read together when they come together', async () => {
  const spectra = await Promise.all([makeDevice(), makeDevice()])
  const frames = [report, ...totals].flatMap((hex, at) =>
    spectra.map(({ eui }) => makeFrame(eui, hex, at)),
  )
  await Promise.all(frames.map(send))
  for (const { eui } of spectra) {
    const uplinks: { decoded_object: { energyTotal?: number } }[] = await list(eui)
    const sums = uplinks.map(({ decoded_object }) => decoded_object.energyTotal)
    assert.ok(sums.includes(146), 'in the order in which they were sent')
  }
})

test('the packets of a device info are read together', async () => {
  const { eui } = await makeDevice()
  const packets = ['10fa120100001304000000', '11fa22fc00010100000000']
  for (const [at, hex] of packets.entries()) await send(makeFrame(eui, hex, at))
  const [, last] = await list(eui)
  assert.deepEqual(last.sensor_sequence, [0, 1])
  assert.equal(last.decoded_object.isComplete, true)
  assert.equal(last.decoded_object.configuration, '0100001304000000 fc00010100000000')
})

test('nothing is kept of a device whose frames stand alone', async () => {
  const { id, eui } = await makeDevice()
  await send(makeFrame(eui, '100301', 0))
  await send(makeFrame(eui, '11fa11fc00010100000000', 1))
  assert.equal((await countMemories(id)).length, 0)
  await send(makeFrame(eui, report, 2))
  assert.equal((await countMemories(id)).length, 1)
})

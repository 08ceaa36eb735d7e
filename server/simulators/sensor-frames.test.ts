import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from './random.ts'
import { acknowledgeFrame, createSensor, nextFrame, sensorKinds } from './sensor-frames.ts'

/** The event code of each kind's own frames. */
const eventCodes = {
  door: 0x03,
  button: 0x06,
  contact: 0x07,
  water: 0x08,
  temperature: 0x09,
  tilt: 0x0a,
  air: 0x0d,
}

for (const kind of sensorKinds) {
  test(`sends frames of a sensor of the kind ${kind}`, () => {
    const random = createRandom(5)
    const sensor = createSensor(kind)
    const frames = Array.from({ length: 100 }, () => nextFrame(sensor, random))
    assert.deepEqual(
      frames.map(([first]) => first),
      frames.map((_, index) => 0x10 | (index % 16)),
    )
    assert.ok(frames.every(({ length }) => length >= 3 && length <= 11))
    const codes = new Set(frames.map(([, event]) => event))
    assert.deepEqual(codes, new Set([0x00, 0x01, eventCodes[kind]]))
    assert.equal(frames[0]?.[1], 0x00)
  })
}

test('measures air that wanders within what a room allows', () => {
  const random = createRandom(9)
  const sensor = createSensor('air')
  const frames = Array.from({ length: 500 }, () => nextFrame(sensor, random))
  const measured = frames.filter(([, event]) => event === 0x0d)
  assert.ok(measured.length > 400)
  const values = measured.map((bytes) => [bytes[3] ?? 255, bytes[5] ?? 255])
  assert.ok(values.every(([degrees, humidity]) => Number(degrees) < 40 && Number(humidity) < 80))
  assert.ok(new Set(measured.map((bytes) => Buffer.from(bytes).toString('hex', 2))).size > 100)
})

test('answers a configuration with status 3 and its bytes', () => {
  const sensor = createSensor('door')
  nextFrame(sensor, createRandom(1))
  const downlink = Buffer.from('0300000000000000', 'hex')
  const answer = Buffer.from(acknowledgeFrame(sensor, downlink)).toString('hex')
  assert.equal(answer, '11ff030300000000000000')
})

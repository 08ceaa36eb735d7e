import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { thermometer } from '../../../../test/device-types.ts'
import { addLocalDevice } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const eui = '00AA0000000000E1'
await addLocalDevice(service, eui)

async function tryDraft(body: Record<string, unknown>) {
  return service.call('POST', '/v1/device-types/try', {
    body: { payload_format: 'ts013', codec: thermometer, ...body },
  })
}

test('runs the examples of a codec that is not saved, and a frame', async () => {
  const input = { hex: '00d7', fPort: 2 }
  const examples = [
    { description: 'right', input, output: { data: { temperature: 21.5, port: 2 } } },
    { description: 'wrong', input, output: { data: { temperature: 22, port: 2 } } },
  ]
  const { status, body } = await tryDraft({ examples, input })
  assert.equal(status, 200)
  const { example_results, frame, replay, warnings } = body.data
  assert.deepEqual(
    example_results.map(({ passed }: { passed: boolean }) => passed),
    [true, false],
  )
  assert.deepEqual(example_results[1].differences, [
    { path: 'data.temperature', before: 22, after: 21.5 },
  ])
  assert.deepEqual(frame.output, { data: { temperature: 21.5, port: 2 } })
  assert.equal(replay, null)
  assert.deepEqual(warnings, [])
  const types = await service.call('GET', '/v1/device-types')
  assert.deepEqual(types.body.data, [])
})

test('names the line of a codec that does not parse', async () => {
  const { status, body } = await tryDraft({ codec: 'let a = 1\nlet a = 2\n' })
  assert.equal(status, 422)
  assert.match(body.errors.codec[0], /\(line 2\)/)
})

test('tells what would differ in the stored uplinks of a device, or of a type', async () => {
  for (const [fCnt, hex] of ['100301', '110300'].entries()) {
    const { status } = await post(service, callback, makeUp({ eui, hex, fCnt }))
    assert.equal(status, 200)
  }
  const ofDevice = await tryDraft({ last: 10, device: eui })
  const { uplinks, changed } = ofDevice.body.data.replay
  assert.equal(changed, 2)
  assert.deepEqual(uplinks[0].before.decoded_object.state, 'closed')
  assert.equal(uplinks[0].after.decoded_object.temperature, 0x1103 / 10)
  const ofType = await tryDraft({ last: 1, device_type: 16 })
  assert.deepEqual(ofType.body.data.replay.uplinks, [uplinks[0]])
  const none = await tryDraft({ last: 1 })
  assert.equal(none.status, 422)
  const unknown = await tryDraft({ last: 1, device: '00AA00000000FFFF' })
  assert.deepEqual(unknown.body.errors, { device: ['The selected device is invalid.'] })
})

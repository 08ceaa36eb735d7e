import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinCodecFiles } from '../../lora/codec-files.ts'
import { defaultCodecLimits } from './codec.ts'
import { createSandbox } from './sandbox.ts'

const sandbox = await createSandbox(defaultCodecLimits)

function read(source: string) {
  const call = (name: 'decodeUplink' | 'encodeDownlink', input: object) => {
    const outcome = sandbox.call({ source, name, input: JSON.stringify(input) })
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return JSON.parse(outcome.text)
  }
  return [
    call('decodeUplink', { bytes: [4], fPort: 1 }).data,
    call('encodeDownlink', { data: { level: 4 }, fPort: 1 }).bytes,
  ]
}

const styles: Record<string, [decoder: string, encoder: string]> = {
  'functions and constants': [
    'const scale = 2; function read(v) { return v * scale }\nfunction decodeUplink(i) { return { data: { level: read(i.bytes[0]) } } } // end',
    'const scale = 3; function read(v) { return v / scale }\nfunction encodeDownlink(i) { return { bytes: [read(i.data.level * 9)] } }',
  ],
  'each with stubs of the other': [
    'var f = 2; function decodeUplink(i) { return { data: { level: f * i.bytes[0] } } } function encodeDownlink() { throw 1 }',
    'var f = 3; function encodeDownlink(i) { return { bytes: [f * i.data.level] } } function decodeUplink() { throw 2 }',
  ],
  'older names': [
    'function Decoder(bytes) { total = bytes[0] * 2; return { level: total } }',
    'function Encoder(data) { total = data.level * 3; return [total] }',
  ],
  exports: [
    'var k = 2; module.exports = { decodeUplink: (i) => ({ data: { level: k * i.bytes[0] } }) }',
    'var k = 3; exports.encodeDownlink = (i) => ({ bytes: [k * i.data.level] })',
  ],
}
for (const [style, [decoder, encoder]] of Object.entries(styles)) {
  test(`gives the files of a codec scopes of their own: ${style}`, () => {
    const joined = joinCodecFiles([
      { text: decoder, functions: ['decodeUplink'] },
      { text: encoder, functions: ['encodeDownlink'] },
    ])
    assert.deepEqual(read(joined), [{ level: 8 }, [12]])
  })
}

test('leaves a single file as it is', () => {
  const text = 'function decodeUplink() {}'
  assert.equal(joinCodecFiles([{ text, functions: ['decodeUplink', 'encodeDownlink'] }]), text)
})

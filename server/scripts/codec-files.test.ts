import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { joinCodecFiles } from '../src/lora/codec-files.ts'
import { thermometer } from '../test/device-types.ts'
import { readPublishedType } from './codec-files.ts'

/** Invented codecs, laid out as the public repositories are. */
const root = await mkdtemp(join(tmpdir(), 'codecs-'))
after(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<string> {
  const full = join(root, path)
  await mkdir(dirname(full), { recursive: true })
  await writeFile(full, text)
  return full
}

const encoder = 'function encodeDownlink(input) { return { bytes: [input.data.period], fPort: 2 } }'
const output = { data: { temperature: 21.5, port: 1 } }

test('reads a codec of the repository of The Things Network', async () => {
  await write('vendor/acme/probe.js', thermometer)
  await write('vendor/acme/encoder.js', encoder)
  await write('vendor/acme/probe.yaml', 'name: Acme Freezer Probe\n')
  const path = await write(
    'vendor/acme/probe-codec.yaml',
    `uplinkDecoder:
  fileName: probe.js
  examples:
    - description: Room
      input: { fPort: 1, bytes: [0x00, 0xD7] }
      output: { data: { temperature: 21.5, port: 1 } }
    - description: Without a frame
      output: {}
downlinkEncoder:
  fileName: encoder.js
  examples:
    - input: { data: { period: 5 } }
      output: { bytes: [5], fPort: 2 }
`,
  )
  assert.deepEqual(await readPublishedType(path), {
    type_name: 'Acme Freezer Probe',
    part_number: 'PROBE',
    payload_format: 'ts013',
    codec: joinCodecFiles([
      { text: thermometer, functions: ['decodeUplink'] },
      { text: encoder, functions: ['encodeDownlink'] },
    ]),
    examples: [
      {
        description: 'Room',
        function: 'decodeUplink',
        input: { fPort: 1, bytes: [0, 215] },
        output,
      },
      {
        description: '',
        function: 'encodeDownlink',
        input: { data: { period: 5 } },
        output: { bytes: [5], fPort: 2 },
      },
    ],
  })
})

test('reads a device of the repository of ChirpStack, with hexadecimal in its tests', async () => {
  await write('vendors/acme/codecs/probe.js', thermometer)
  await write(
    'vendors/acme/codecs/test_decode_probe.json',
    '[\n\t{ "name": "Room", "input": { "bytes": [0x00, 0xD7], "fPort": 1 }, "expected": { "data": { "temperature": 21.5, "port": 1 } } }\n]',
  )
  const device = '[device]\nname = "Acme Probe"\n[[device.firmware]]\n  codec = "probe.js"\n'
  const path = await write('vendors/acme/devices/probe.toml', device)
  assert.deepEqual(await readPublishedType(path), {
    type_name: 'Acme Probe',
    part_number: 'PROBE',
    payload_format: 'ts013',
    codec: thermometer,
    examples: [
      {
        description: 'Room',
        function: 'decodeUplink',
        input: { bytes: [0, 215], fPort: 1 },
        output,
      },
    ],
  })
})

test('names a codec by its devices, and says above it what is published of them', async () => {
  const device = (name: string) => `[device]
name = "${name}"
[[device.firmware]]
version = "1.0"
profiles = ["EU868.toml"]
codec = "meter.js"
[device.metadata]
documentation_url = "https://maker.example.test/meter.pdf"
`
  await write('vendors/maker/devices/a.toml', device('Meter A'))
  await write('vendors/maker/devices/b.toml', device('Meter B'))
  await write('vendors/maker/profiles/EU868.toml', 'region = "EU868"\nmac_version = "1.0.3"\n')
  const path = await write('vendors/maker/codecs/meter.js', thermometer)
  const facts = `// Firmware: 1.0
// Regions: EU868
// LoRaWAN: 1.0.3
// Class: A
// Data sheet: https://maker.example.test/meter.pdf`
  const { type_name, codec } = await readPublishedType(path)
  assert.equal(type_name, 'Meter A, Meter B')
  assert.equal(codec, `// Meter A\n${facts}\n// Meter B\n${facts}\n${thermometer}`)

  await write('vendor/maker/profile.yaml', "macVersion: '1.1'\nsupportsClassC: true\n")
  await write(
    'vendor/maker/valve.yaml',
    `name: "Valve\\nalert('no code')"
firmwareVersions:
  - version: 2
    profiles: { EU863-870: { id: profile, codec: any-codec } }
dataSheetURL: https://maker.example.test/valve.pdf
`,
  )
  await write('vendor/maker/any.js', thermometer)
  const any = await write('vendor/maker/any-codec.yaml', 'uplinkDecoder: { fileName: any.js }')
  const valve = await readPublishedType(any)
  assert.equal(
    valve.codec,
    `// Valve alert('no code')
// Firmware: 2
// Regions: EU863-870
// LoRaWAN: 1.1
// Class: C
// Data sheet: https://maker.example.test/valve.pdf
${thermometer}`,
  )
})

test('reads device profiles of ChirpStack', async () => {
  const script = { name: 'Probe', payloadCodecRuntime: 'JS', payloadCodecScript: thermometer }
  const one = await write('profile.json', JSON.stringify({ deviceProfile: script }))
  assert.equal((await readPublishedType(one)).codec, thermometer)
  const two = await write('lpp.json', '{"name": "LPP", "payloadCodecRuntime": "CAYENNE_LPP"}')
  assert.deepEqual(await readPublishedType(two), {
    type_name: 'LPP',
    part_number: '',
    payload_format: 'cayenne_lpp',
    codec: null,
    examples: [],
  })
})

test('reads files in folders below, and none outside', async () => {
  await write('vendor/deep/payload/probe.js', thermometer)
  const naming = (file: string) => `uplinkDecoder:\n  fileName: ${file}\n`
  const below = await write('vendor/deep/probe-codec.yaml', naming('payload/probe.js'))
  assert.equal((await readPublishedType(below)).codec, thermometer)
  const outside = await write('vendor/deep/out-codec.yaml', naming('payload/../../acme/probe.js'))
  await assert.rejects(readPublishedType(outside), /is outside of the folder/)
  const missing = await write('vendor/deep/none-codec.yaml', naming('none.js'))
  await assert.rejects(readPublishedType(missing), /none\.js, which it names, is missing/)
})

test('says what is wrong with a file', async () => {
  const empty = await write('empty.yaml', 'name: Nothing\n')
  await assert.rejects(readPublishedType(empty), /empty\.yaml names no file with a codec/)
  await assert.rejects(readPublishedType('codec.txt'), /codec\.txt is none of/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTypes } from '../src/pages/device-types/import/published-types.ts'

const codec = 'function decodeUplink(input) { return { data: { level: input.bytes[0] } } }'
const device = `name: Tank probe
firmwareVersions:
  - version: '1'
    profiles:
      EU863-870: { id: tp-profile, codec: level-codec }
`

test('the description of a device alone says what is missing, and names its type', async () => {
  const described = { name: 'tp-100.yaml', text: device }
  const [alone] = await findTypes([described])
  assert.equal(
    alone?.problem,
    'It describes a device. Its codec is missing: add level-codec.yaml, and the .js file that it names.',
  )
  const found = await findTypes([
    described,
    { name: 'level-codec.yaml', text: 'uplinkDecoder: { fileName: level.js }' },
    { name: 'level.js', text: codec },
  ])
  assert.deepEqual(
    found.map(({ type }) => type?.type_name),
    ['Tank probe'],
  )
})

test("ChirpStack's device gives the name, and what else it says stands above the codec", async () => {
  const toml = {
    name: 'tank.toml',
    text: `[device]
name = "Tank probe"
description = "Level"
[[device.firmware]]
version = "1.2"
profiles = [
    "EU868-1_0_4.toml",
]
codec = "level.js"
[device.metadata]
documentation_url = "https://maker.example.test/tank.pdf"
`,
  }
  const profile = {
    name: 'EU868-1_0_4.toml',
    text: '[profile]\nregion = "EU868"\nmac_version = "1.0.4"\nsupports_class_c = true\n',
  }
  const vendor = { name: 'vendor.toml', text: '[vendor]\nname = "Maker"\n' }
  const [missing] = await findTypes([toml])
  assert.equal(missing?.problem, 'It describes a device. Its codec is missing: add level.js.')
  const [type, ...others] = await findTypes([
    toml,
    profile,
    vendor,
    { name: 'level.js', text: codec },
  ])
  assert.deepEqual(others, [])
  assert.equal(type?.type?.type_name, 'Tank probe')
  assert.equal(
    type?.type?.codec,
    `// Tank probe: Level
// Firmware: 1.2
// Regions: EU868
// LoRaWAN: 1.0.4
// Class: C
// Data sheet: https://maker.example.test/tank.pdf
${codec}`,
  )
})

test("ChirpStack's test files become the examples of the codec beside them", async () => {
  const tests = {
    name: 'test_decode_tank.json',
    text: '[\n\t{ "name": "level", "input": { "bytes": [0x2a], "fPort": 2 }, "expected": { "data": { "level": 42 } } },\n]',
  }
  const [missing] = await findTypes([tests])
  assert.equal(missing?.problem, 'tank.js is missing: add it too.')
  const found = await findTypes([tests, { name: 'tank.js', text: codec }])
  assert.equal(found.length, 1)
  assert.deepEqual(found[0]?.type?.examples, [
    {
      description: 'level',
      function: 'decodeUplink',
      input: { bytes: [42], fPort: 2 },
      output: { data: { level: 42 } },
    },
  ])
})

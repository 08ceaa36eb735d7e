import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** For tests: made-up catalogues of each layout, as files by their paths. */

export type Files = Record<string, string>

const codec = `function decodeUplink(input) {
  return { data: { temperature: ((input.bytes[0] << 8) | input.bytes[1]) / 10 } }
}`

/** In the layout of ChirpStack's device profiles: one vendor, `acme`, with a probe and a valve. */
export function chirpStackFiles({ source = codec } = {}): Files {
  const profile = (region: string, more = '') => `[profile]
vendor_profile_id = 5
region = "${region}"
mac_version = "1.0.3"
reg_params_revision = "A"
supports_otaa = true
supports_class_b = false
supports_class_c = ${more === 'C'}
max_eirp = 16

[profile.class_c]
timeout_secs = 30
`
  return {
    'vendors/acme/vendor.toml': '[vendor]\nname = "Acme"\nvendor_id = 109\n',
    'vendors/acme/profiles/EU868.toml': profile('EU868'),
    'vendors/acme/profiles/US915.toml': profile('US915'),
    'vendors/acme/profiles/EU868-C.toml': profile('EU868', 'C').replace('= 5', '= 6'),
    'vendors/acme/devices/cold-probe.toml': `[device]
name = "Cold probe"
description = "Measures the temperature of freezers."

[[device.firmware]]
version = "1.0"
profiles = ["EU868.toml"]

[[device.firmware]]
version = "1.2"
profiles = ["EU868.toml", "US915.toml"]
codec = "cold-probe.js"

[device.metadata]
product_url = "https://www.example.com/cold-probe"
documentation_url = "https://docs.example.com/cold-probe.pdf"
`,
    'vendors/acme/devices/valve.toml': `[device]
name = "Valve"
description = "Opens and closes."

[[device.firmware]]
version = "2.0"
profiles = ["EU868-C.toml"]
codec = "cold-probe.js"
`,
    'vendors/acme/codecs/cold-probe.js': source,
    // As some of the published files are: a hexadecimal number, and a comma at the end.
    'vendors/acme/codecs/test_decode_cold-probe.json': `[
  { "name": "cool", "input": { "bytes": [0x00, 0xd7], "fPort": 1 },
    "expected": { "data": { "temperature": 21.5 } }, },
]`,
    'vendors/acme/codecs/test_encode_cold-probe.json': '[]',
  }
}

/** In The Things Network's layout: the vendor `borealis` with a gauge in two files of code. */
export const thingsNetworkFiles: Files = {
  'vendor/index.yaml': 'vendors:\n  - id: borealis\n    name: Borealis Ltd.\n    vendorID: 762\n',
  'vendor/borealis/index.yaml': `endDevices:
  - rain-gauge
profileIDs:
  '3':
    endDeviceID: rain-gauge
    firmwareVersion: '1.1'
    hardwareVersion: '2.0'
    region: EU863-870
`,
  'vendor/borealis/rain-gauge.yaml': `name: Rain gauge
description: Counts the tips of a spoon.
hardwareVersions:
  - version: '2.0'
    numeric: 1
    partNumber: BO-RG-2
firmwareVersions:
  - version: '1.1'
    numeric: 1
    hardwareVersions:
      - '2.0'
    profiles:
      EU863-870:
        id: rain-profile
        codec: rain-codec
      US902-928:
        id: rain-profile
        codec: rain-codec
photos:
  main: rain-gauge.png
dataSheetURL: https://docs.example.com/rain.pdf
`,
  'vendor/borealis/rain-profile.yaml': `macVersion: '1.0.4'
regionalParametersVersion: 'RP002-1.0.3'
supportsJoin: true
maxEIRP: 14
supportsClassB: false
supportsClassC: true
classCTimeout: 60
`,
  'vendor/borealis/rain-codec.yaml': `uplinkDecoder:
  fileName: rain.js
  examples:
    - description: three tips
      input:
        fPort: 2
        bytes: [3]
      output:
        data:
          rain: 0.6
downlinkEncoder:
  fileName: code/encode.js
  examples:
    - description: reset
      input:
        data:
          reset: true
      output:
        bytes: [1]
        fPort: 3
`,
  'vendor/borealis/rain.js': `var tip = 0.2
function decodeUplink(input) { return { data: { rain: Math.round(input.bytes[0] * tip * 10) / 10 } } }
function normalizeUplink(input) { return { data: { rain: { intensity: input.data.rain } } } }`,
  'vendor/borealis/code/encode.js': `var tip = 'another'
function encodeDownlink(input) { return { bytes: [input.data.reset ? 1 : 0], fPort: 3 } }`,
}

/** Writes files into a folder of their own, and returns its path. */
export async function writeFolder(files: Files): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'catalogue-'))
  await addFiles(root, files)
  return root
}

export async function addFiles(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

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

/** A zip of these files, as its reader takes it: each is deflated. */
export function zipOf(files: Files, { mode = 0o100644 } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, packed)
    const more = Buffer.alloc(14)
    more.writeUInt32LE((mode << 16) >>> 0, 6)
    more.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, more, name)
    at += 4 + common.length + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A tar.gz as `git archive` makes it: all files in one folder, after a global pax header. */
export function tarOf(files: Files, root = 'profiles-1234/'): Buffer {
  const block = (path: string, content: Buffer, type: string) => {
    const header = Buffer.alloc(512)
    header.write(path, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  }
  const comment = Buffer.from('52 comment=1234567890123456789012345678901234567890\n')
  const blocks = Object.entries(files).flatMap(([path, text]) =>
    block(root + path, Buffer.from(text), '0'),
  )
  return gzipSync(
    Buffer.concat([
      ...block('pax_global_header', comment, 'g'),
      ...block(root, Buffer.alloc(0), '5'),
      ...blocks,
      Buffer.alloc(1024),
    ]),
  )
}

export interface GitHost {
  /** The address of its repository. */
  url: string
  /** Another commit. */
  push(commit: string, files: Files): void
  /** Paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

/** A host of one git repository, which needs the token if there is one. */
export async function startGitHost({ token }: { token?: string } = {}): Promise<GitHost> {
  let commit = 'a'.repeat(40)
  let archive = tarOf({})
  const asked: string[] = []
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const wanted = `Basic ${Buffer.from(`git:${token}`).toString('base64')}`
    if (token !== undefined && request.headers.authorization !== wanted) {
      response.writeHead(401).end()
    } else if (path === '/acme/profiles.git/info/refs?service=git-upload-pack') {
      response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
      const refs = [
        `${line('# service=git-upload-pack\n')}0000`,
        line(`${commit} HEAD\0multi_ack symref=HEAD:refs/heads/main\n`),
        line(`${commit} refs/heads/main\n`),
        line(`${'b'.repeat(40)} refs/heads/other\n`),
      ]
      response.end(`${refs.join('')}0000`)
    } else if (path === `/acme/profiles/archive/${commit}.tar.gz`) {
      response.writeHead(302, { location: `/files/${commit}` }).end()
    } else if (path === `/files/${commit}`) {
      response.setHeader('content-type', 'application/x-gzip').end(archive)
    } else {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/acme/profiles.git`,
    asked,
    push(next, files) {
      commit = next
      archive = tarOf(files)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, normalize } from 'node:path'
import { parse } from 'yaml'
import {
  codecExample,
  type StoredExample,
} from '../src/features/fleet/device-types/codec-example.ts'
import { joinCodecFiles } from '../src/lora/codec-files.ts'
import {
  addHead,
  nameTogether,
  type PublishedDevice,
  readTomlDevice,
  readYamlDevice,
} from '../src/lora/published-device.ts'
import type { CodecFunction } from '../src/sensors/codecs/codec.ts'

/*
 * Codecs as makers publish them, each with examples.
 *
 * - The Things Network (github.com/TheThingsNetwork/lorawan-devices): `<codec>.yaml` with
 *   uplinkDecoder, downlinkEncoder and downlinkDecoder, each a `fileName` next to or below it, and
 *   `examples` of description, input and output.
 * - ChirpStack (github.com/chirpstack/chirpstack-device-profiles): `devices/<device>.toml` names
 *   `codecs/<codec>.js`. Next to it, test_decode_<codec>.json and test_encode_<codec>.json hold
 *   name, input and expected.
 * What the files of its devices and profiles say goes into a comment in front of the codec.
 *
 * - A device profile of ChirpStack's API as JSON (api/proto/api/device_profile.proto): name,
 *   payloadCodecRuntime, payloadCodecScript.
 */

/** What POST /device-types takes. */
export interface PublishedType {
  type_name: string
  part_number: string
  payload_format: 'ts013' | 'cayenne_lpp'
  codec: string | null
  examples: StoredExample[]
}

/** Reads a published codec; throws an error that says what is wrong with the file. */
export async function readPublishedType(path: string): Promise<PublishedType> {
  switch (extname(path)) {
    case '.yaml':
    case '.yml':
      return readThingsNetwork(path)
    case '.toml':
      return readChirpStackDevice(path)
    case '.js':
      return readChirpStackCodec(path)
    case '.json':
      return readDeviceProfile(path)
    default:
      throw new Error(`${path} is none of .yaml, .toml, .js and .json.`)
  }
}

const sections: readonly (readonly [string, CodecFunction])[] = [
  ['uplinkDecoder', 'decodeUplink'],
  ['downlinkEncoder', 'encodeDownlink'],
  ['downlinkDecoder', 'decodeDownlink'],
]

async function readThingsNetwork(path: string): Promise<PublishedType> {
  const document = record(parse(await readFile(path, 'utf8')))
  const found = sections.flatMap(([name, codecFunction]) => {
    const { fileName, examples } = record(document[name])
    return typeof fileName === 'string' ? [{ fileName, examples, codecFunction }] : []
  })
  const files = [...new Set(found.map(({ fileName }) => fileName))]
  if (files.length === 0) throw new Error(`${path} names no file with a codec.`)
  const sources = await Promise.all(
    files.map(async (file) => ({
      text: await readBelow(dirname(path), file),
      functions: found.flatMap((each) => (each.fileName === file ? each.codecFunction : [])),
    })),
  )
  const id = basename(path).replace(/(-codec)?\.ya?ml$/, '')
  const named = basename(path, extname(path))
  const folder = dirname(path)
  const all = await readDevices(folder, /\.ya?ml$/)
  const devices = all.filter((device) => device.codecs.includes(named) || device.id === id)
  return {
    type_name: nameTogether(devices) ?? id,
    part_number: id.toUpperCase(),
    payload_format: 'ts013',
    codec: await withHead(joinCodecFiles(sources), devices, folder, '.yaml'),
    examples: found.flatMap(({ examples, codecFunction }) => readExamples(examples, codecFunction)),
  }
}

/** A file names only files next to it and below. */
async function readBelow(folder: string, file: string): Promise<string> {
  const path = normalize(file)
  if (/^(\.\.|[/\\]|[A-Za-z]:)/.test(path)) throw new Error(`${file} is outside of the folder.`)
  const text = await readOptional(join(folder, path))
  if (text === undefined) throw new Error(`The file ${file}, which it names, is missing.`)
  return text
}

const knownDevices = new Map<string, Promise<PublishedDevice[]>>()

/** The devices that the files of a folder describe; files that cannot be read describe none. */
function readDevices(folder: string, ending: RegExp): Promise<PublishedDevice[]> {
  const known = knownDevices.get(folder) ?? readEach()
  knownDevices.set(folder, known)
  return known

  async function readEach() {
    const names = await readdir(folder).catch(() => [])
    const devices = names
      .filter((name) => ending.test(name))
      .map(async (name) => {
        const text = (await readOptional(join(folder, name))) ?? ''
        const id = basename(name, extname(name))
        if (name.endsWith('.toml')) return readTomlDevice(id, text)
        return readYamlDevice(id, readYaml(text))
      })
    return Promise.all(devices)
  }
}

function readYaml(text: string): Record<string, unknown> {
  try {
    return record(parse(text))
  } catch {
    return {}
  }
}

async function withHead(
  codec: string,
  devices: readonly PublishedDevice[],
  folder: string,
  ending: string,
): Promise<string> {
  const names = devices.flatMap(({ profiles }) => profiles.map((name) => basename(name)))
  const texts = new Map<string, string | undefined>()
  for (const name of names) texts.set(name, await readOptional(join(folder, name + ending)))
  return addHead(codec, devices, (name) => texts.get(basename(name)))
}

async function readChirpStackDevice(path: string): Promise<PublishedType> {
  const device = readTomlDevice(basename(path, '.toml'), await readFile(path, 'utf8'))
  const [codec] = device.codecs
  if (codec === undefined) throw new Error(`${path} names no codec.`)
  return readChirpStackCodec(join(dirname(path), '..', 'codecs', `${codec}.js`), device)
}

/** Of one device, or of all that name the codec. */
async function readChirpStackCodec(path: string, device?: PublishedDevice): Promise<PublishedType> {
  const id = basename(path, '.js')
  const folder = join(dirname(path), '..')
  const all = device ? [device] : await readDevices(join(folder, 'devices'), /\.toml$/)
  const devices = all.filter(({ codecs }) => codecs.includes(id))
  const examples = ['decode', 'encode'].map(async (kind) => {
    // YAML takes what these files hold beyond JSON: hexadecimal numbers, commas at the end.
    const text = await readOptional(join(dirname(path), `test_${kind}_${id}.json`))
    const list: unknown = text === undefined ? [] : parse(text.replaceAll('\t', ' '))
    return readExamples(list, kind === 'decode' ? 'decodeUplink' : 'encodeDownlink')
  })
  return {
    type_name: nameTogether(devices) ?? device?.id ?? id,
    part_number: id.toUpperCase(),
    payload_format: 'ts013',
    codec: await withHead(
      await readBelow(dirname(path), basename(path)),
      devices,
      join(folder, 'profiles'),
      '.toml',
    ),
    examples: (await Promise.all(examples)).flat(),
  }
}

async function readDeviceProfile(path: string): Promise<PublishedType> {
  const document = record(JSON.parse(await readFile(path, 'utf8')))
  const profile = record(document.deviceProfile ?? document)
  const { name, payloadCodecRuntime: runtime, payloadCodecScript: script } = profile
  const common = { type_name: String(name ?? basename(path, '.json')), part_number: '' }
  if (runtime === 'CAYENNE_LPP') {
    return { ...common, payload_format: 'cayenne_lpp', codec: null, examples: [] }
  }
  if (typeof script !== 'string' || script === '') throw new Error(`${path} holds no codec.`)
  return { ...common, payload_format: 'ts013', codec: script, examples: [] }
}

/** The examples that the service takes; others, such as those without a frame, are left out. */
function readExamples(list: unknown, codecFunction: CodecFunction): StoredExample[] {
  if (!Array.isArray(list)) return []
  return list.map(record).flatMap((published) => {
    const { bytes, fPort, recvTime, data, variables } = record(published.input)
    const example = {
      description: String(published.description ?? published.name ?? '').slice(0, 255),
      function: codecFunction,
      input: {
        ...(codecFunction === 'encodeDownlink' ? { data } : { bytes }),
        ...(fPort === undefined ? {} : { fPort }),
        ...(recvTime === undefined ? {} : { recvTime }),
        ...(variables === undefined ? {} : { variables }),
      },
      output: published.output ?? published.expected,
    }
    if (codecFunction !== 'encodeDownlink' && bytes === undefined) return []
    return codecExample.safeParse(example).data ?? []
  })
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

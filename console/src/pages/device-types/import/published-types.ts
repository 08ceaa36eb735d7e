import { joinCodecFiles } from '../../../../../server/src/lora/codec-files.ts'
import {
  nameTogether,
  readYamlDevice,
  record,
} from '../../../../../server/src/lora/published-device.ts'
import { t } from '../../../languages/text.ts'
import type { TypeBody } from '../editor/draft.ts'
import {
  devicesOfSource,
  findMissingCodec,
  readToml,
  withHead,
  withoutEnding,
} from './described-devices.ts'

/*
 * Codecs as makers publish them:
 *
 * - github.com/TheThingsNetwork/lorawan-devices, vendor/<vendor>/: `<codec>-codec.yaml` with
 *   uplinkDecoder, downlinkEncoder and downlinkDecoder, each a `fileName` next to it and `examples`
 *   of description, input and output; `<device>.yaml` has the
 *   name, and names the codec.
 * - github.com/chirpstack/chirpstack-device-profiles: `<codec>.js` with test_decode_<codec>.json and
 *   test_encode_<codec>.json, each a list of name, input and expected; `<device>.toml` has the name, and
 *   names the codec.
 * - A device profile of ChirpStack's API as JSON: name, payloadCodecRuntime, payloadCodecScript.
 * - A single file of JavaScript.
 */

/** A file that was dropped, chosen or pasted. */
export interface GivenFile {
  name: string
  text: string
}

export interface FoundType {
  /** The file that describes it. */
  from: string
  type?: TypeBody
  /** Why it cannot be imported. */
  problem?: string
}

type Example = NonNullable<TypeBody['examples']>[number]
type CodecFunction = NonNullable<Example['function']>

const sections: readonly (readonly [string, CodecFunction])[] = [
  ['uplinkDecoder', 'decodeUplink'],
  ['downlinkEncoder', 'encodeDownlink'],
  ['downlinkDecoder', 'decodeDownlink'],
]

/** Finds the types in some files of a repository. Never throws: a file that cannot be read says so. */
export async function findTypes(files: readonly GivenFile[]): Promise<FoundType[]> {
  const { parse } = await import('yaml')
  const used = new Set<string>()
  const found = files.flatMap((file): FoundType[] => {
    try {
      if (/\.ya?ml$/.test(file.name)) return readThingsNetwork(file, files, parse, used)
      if (file.name.endsWith('.toml')) return readToml(file, files)
      return file.name.endsWith('.json') ? readJson(file, files) : []
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      return [{ from: file.name, problem }]
    }
  })
  const alone = files.filter(({ name }) => name.endsWith('.js') && !used.has(name))
  return [...found, ...alone.map((file) => readSource(file, files, parse))]
}

function readThingsNetwork(
  file: GivenFile,
  files: readonly GivenFile[],
  parse: (text: string) => unknown,
  used: Set<string>,
): FoundType[] {
  const document = record(parse(file.text))
  const calls = sections.flatMap(([name, codecFunction]) => {
    const { fileName, examples } = record(document[name])
    return typeof fileName === 'string' ? [{ fileName, examples, codecFunction }] : []
  })
  if (calls.length === 0) return findMissingCodec(file, document, files)
  const names = [...new Set(calls.map(({ fileName }) => baseName(fileName)))]
  const missing = names.filter((name) => !files.some((one) => one.name === name))
  if (missing.length > 0) {
    return [
      {
        from: file.name,
        problem: t('{join} is missing: add it too.', { join: missing.join(t(' and ')) }),
      },
    ]
  }
  for (const name of names) used.add(name)
  const id = file.name.replace(/(-codec)?\.ya?ml$/, '')
  const codec = file.name.replace(/\.ya?ml$/, '')
  const devices = files
    .filter((one) => one !== file && /\.ya?ml$/.test(one.name))
    .map((one) => readYamlDevice(withoutEnding(one.name), record(parse(one.text))))
    .filter((one) => one.id === id || one.codecs.includes(codec))
  return [
    {
      from: file.name,
      type: {
        type_name: nameTogether(devices) ?? id,
        part_number: id.toUpperCase(),
        payload_format: 'ts013',
        codec: withHead(
          joinCodecFiles(
            names.map((one) => ({
              text: files.find((each) => each.name === one)?.text ?? '',
              functions: calls.flatMap(({ fileName, codecFunction }) =>
                baseName(fileName) === one ? codecFunction : [],
              ),
            })),
          ),
          devices,
          files,
        ),
        examples: calls.flatMap(({ examples, codecFunction }) =>
          readExamples(examples, codecFunction),
        ),
      },
    },
  ]
}

function readExamples(list: unknown, name: CodecFunction): Example[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    const { description, name: title, input, output, expected } = record(item)
    const { bytes, fPort, data, recvTime, variables } = record(input)
    const words = description ?? title
    const result = output ?? expected
    if (typeof result !== 'object' || result === null) return []
    return {
      ...(typeof words === 'string' ? { description: words.slice(0, 255) } : {}),
      function: name,
      input: {
        ...(Array.isArray(bytes) ? { bytes: bytes.map(Number) } : {}),
        ...(typeof fPort === 'number' ? { fPort } : {}),
        ...(data === undefined ? {} : { data }),
        ...(typeof recvTime === 'string' ? { recvTime } : {}),
        ...(variables === undefined
          ? {}
          : { variables: variables as NonNullable<Example['input']['variables']> }),
      },
      // As JSON, which has no dates and no undefined.
      output: JSON.parse(JSON.stringify(result)) as Record<string, unknown>,
    }
  })
}

/** The tests of a codec belong to the file next to them. */
function readJson(file: GivenFile, files: readonly GivenFile[]): FoundType[] {
  const [, codec] = /^test_(?:decode|encode)_(.+)\.json$/.exec(file.name) ?? []
  if (codec === undefined) return [readProfile(file)]
  if (files.some(({ name }) => name === `${codec}.js`)) return []
  return [{ from: file.name, problem: t('{codec}.js is missing: add it too.', { codec }) }]
}

function readProfile({ name: from, text }: GivenFile): FoundType {
  const document = record(JSON.parse(text))
  const profile = record(document.deviceProfile ?? document)
  const { name, payloadCodecRuntime: runtime, payloadCodecScript: script } = profile
  const type_name = typeof name === 'string' ? name : from.replace(/\.json$/, '')
  const common = { type_name, part_number: '', examples: [] }
  if (runtime === 'CAYENNE_LPP') {
    return { from, type: { ...common, payload_format: 'cayenne_lpp', codec: null } }
  }
  if (typeof script !== 'string' || script === '') {
    return { from, problem: t('It is no device profile with a codec.') }
  }
  return { from, type: { ...common, payload_format: 'ts013', codec: script } }
}

function readSource(
  { name: from, text }: GivenFile,
  files: readonly GivenFile[],
  parse: (text: string) => unknown,
): FoundType {
  const id = from.replace(/\.js$/, '')
  const devices = devicesOfSource(id, files)
  const examples = (['decode', 'encode'] as const).flatMap((kind) => {
    const tests = files.find(({ name }) => name === `test_${kind}_${id}.json`)
    // YAML takes what these files hold beyond JSON: hexadecimal numbers, commas at the end.
    const list = tests && parse(tests.text.replaceAll('\t', ' '))
    return readExamples(
      list,
      `${kind}${kind === 'decode' ? t('Uplink') : t('Downlink')}` as CodecFunction,
    )
  })
  return {
    from,
    type: {
      type_name: nameTogether(devices) ?? id,
      part_number: '',
      payload_format: 'ts013',
      codec: withHead(text, devices, files),
      examples,
    },
  }
}

/** Without the folder: files are dropped without it too. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

import { joinCodecFiles } from '../../../../../server/src/lora/codec-files.ts'
import type { TypeBody } from '../editor/draft.ts'

/*
 * Codecs as makers publish them:
 *
 * - github.com/TheThingsNetwork/lorawan-devices, vendor/<vendor>/: `<codec>-codec.yaml` with
 *   uplinkDecoder, downlinkEncoder and downlinkDecoder, each a `fileName` beside it and `examples`
 *   of description, input and output; `<device>.yaml` has the name.
 * - A device profile of ChirpStack's API as JSON: name, payloadCodecRuntime, payloadCodecScript.
 * - A file of JavaScript alone.
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
      return file.name.endsWith('.json') ? [readProfile(file)] : []
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      return [{ from: file.name, problem }]
    }
  })
  const alone = files.filter(({ name }) => name.endsWith('.js') && !used.has(name))
  return [...found, ...alone.map(readSource)]
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
  // The description of a device, which names no codec of its own: it gives the name alone.
  if (calls.length === 0) return []
  const names = [...new Set(calls.map(({ fileName }) => baseName(fileName)))]
  const missing = names.filter((name) => !files.some((one) => one.name === name))
  if (missing.length > 0) {
    return [{ from: file.name, problem: `${missing.join(' and ')} is missing: add it too.` }]
  }
  for (const name of names) used.add(name)
  const id = file.name.replace(/(-codec)?\.ya?ml$/, '')
  const device = files.find(({ name }) => name === `${id}.yaml` && name !== file.name)
  const { name } = record(device && parse(device.text))
  return [
    {
      from: file.name,
      type: {
        type_name: typeof name === 'string' ? name : id,
        part_number: id.toUpperCase(),
        payload_format: 'ts013',
        codec: joinCodecFiles(
          names.map((one) => ({
            text: files.find((each) => each.name === one)?.text ?? '',
            functions: calls.flatMap(({ fileName, codecFunction }) =>
              baseName(fileName) === one ? codecFunction : [],
            ),
          })),
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
    const { description, input, output } = record(item)
    const { bytes, fPort, data, recvTime } = record(input)
    if (typeof output !== 'object' || output === null) return []
    return {
      ...(typeof description === 'string' ? { description: description.slice(0, 255) } : {}),
      function: name,
      input: {
        ...(Array.isArray(bytes) ? { bytes: bytes.map(Number) } : {}),
        ...(typeof fPort === 'number' ? { fPort } : {}),
        ...(data === undefined ? {} : { data }),
        ...(typeof recvTime === 'string' ? { recvTime } : {}),
      },
      // As JSON, which has no dates and no undefined.
      output: JSON.parse(JSON.stringify(output)) as Record<string, unknown>,
    }
  })
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
    return { from, problem: 'It is no device profile with a codec.' }
  }
  return { from, type: { ...common, payload_format: 'ts013', codec: script } }
}

function readSource({ name: from, text }: GivenFile): FoundType {
  const type_name = from.replace(/\.js$/, '')
  return {
    from,
    type: { type_name, part_number: '', payload_format: 'ts013', codec: text, examples: [] },
  }
}

/** Without the folder: files are dropped without it too. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function record(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : {}
}

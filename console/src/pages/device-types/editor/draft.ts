import type { Operations, Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'

export type TypeBody = Operations['POST /device-types']['body']
export type Example = NonNullable<TypeBody['examples']>[number]
export type ExampleResult = Schemas['CodecExampleResult']
export type Replay = Schemas['Replay']
type CodecFunction = NonNullable<Example['function']>

/** A case of a codec as it is entered: a call, and the result that it must have. */
export interface Case {
  key: string
  description: string
  function: CodecFunction
  /** Hexadecimal. */
  bytes: string
  port: string
  /** JSON: the input of encodeDownlink. */
  data: string
  /** JSON. */
  output: string
  /** When the frame was received, for codecs that read it. */
  recvTime?: string | undefined
}

/** A device type as it is entered. */
export interface Draft {
  type_name: string
  part_number: string
  payload_format: TypeBody['payload_format']
  codec: string
  cases: readonly Case[]
}

const firstCodec = `// The bytes of a frame become values (LoRa Alliance TS013).
function decodeUplink(input) {
  return {
    data: {
      temperature: ((input.bytes[0] << 8) | input.bytes[1]) / 10,
    },
  };
}
`

export const firstDraft: Draft = {
  type_name: '',
  part_number: '',
  payload_format: 'ts013',
  codec: firstCodec,
  cases: [
    {
      ...emptyCase('decodeUplink'),
      description: t('Room temperature'),
      bytes: '00d7',
      output: '{ "data": { "temperature": 21.5 } }',
    },
  ],
}

/** Kept cases have the keys of an earlier page. */
const page = Date.now()
let cases = 0

export function emptyCase(name: CodecFunction): Case {
  cases += 1
  return {
    key: `case ${page} ${cases}`,
    description: '',
    function: name,
    bytes: '',
    port: '1',
    data: '{}',
    output: '{ "data": {} }',
  }
}

/** A case of an example that is stored or published. */
export function toCase(example: Example): Case {
  const { input } = example
  const hex = input.hex ?? (input.bytes ?? []).map(byteText).join('')
  return {
    ...emptyCase(example.function ?? 'decodeUplink'),
    description: example.description ?? '',
    bytes: hex,
    port: String(input.fPort ?? 1),
    data: JSON.stringify(input.data ?? {}),
    output: JSON.stringify(example.output, null, 2),
    recvTime: input.recvTime,
  }
}

function byteText(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** What is wrong with a case as it is entered, by its member. */
export type CaseFaults = Partial<Record<'bytes' | 'port' | 'data' | 'output', string>>

export function findCaseFaults(given: Case): CaseFaults {
  const isEncoder = given.function === 'encodeDownlink'
  const isPort = /^\d{1,3}$/.test(given.port) && Number(given.port) <= 255
  return {
    ...(isEncoder || isHex(given.bytes) ? {} : { bytes: t('Whole bytes in hexadecimal, please.') }),
    ...(isPort ? {} : { port: t('0 to 255, please.') }),
    ...(isEncoder && !readObject(given.data) ? { data: t('A JSON object, please.') } : {}),
    ...(readObject(given.output) ? {} : { output: t('A JSON object, please.') }),
  }
}

function isHex(text: string): boolean {
  return /^([0-9a-f]{2})*$/i.test(compact(text))
}

function compact(text: string): string {
  return text.replaceAll(/[\s:-]/g, '')
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The example of a case; undefined while something is wrong with it. */
export function toExample(given: Case): Example | undefined {
  if (Object.keys(findCaseFaults(given)).length > 0) return undefined
  const port = Number(given.port)
  const input =
    given.function === 'encodeDownlink'
      ? { data: readObject(given.data), fPort: port }
      : {
          hex: compact(given.bytes),
          fPort: port,
          ...(given.recvTime ? { recvTime: given.recvTime } : {}),
        }
  return {
    ...(given.description ? { description: given.description } : {}),
    function: given.function,
    input,
    output: readObject(given.output) ?? {},
  }
}

/** What POST and PATCH of a device type take. Cases with faults are left out. */
export function toBody({ cases: given, codec, ...draft }: Draft): TypeBody {
  return {
    ...draft,
    codec: draft.payload_format === 'ts013' ? codec : null,
    examples: given.flatMap((one) => toExample(one) ?? []),
  }
}

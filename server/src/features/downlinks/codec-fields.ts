import { highestPort, isPort, isShallow } from '../../sensors/codecs/codec-results.ts'

/** A field of the form whose values the codec of an own type encodes. */
export interface CodecField {
  name: 'codec_data' | 'codec_port'
  type: 'json' | 'number'
  label: string
  help: string
  minimum: number | null
  maximum: number | null
}

export const codecFields: readonly CodecField[] = [
  {
    name: 'codec_data',
    type: 'json',
    label: 'Data',
    help: "A JSON object, which the codec's encodeDownlink gets as input.data. Left empty, {}.",
    minimum: null,
    maximum: null,
  },
  {
    name: 'codec_port',
    type: 'number',
    label: 'Port',
    help: 'Where the message goes, input.fPort of encodeDownlink. Left empty, the port that the codec chooses, else that of the latest uplink.',
    minimum: 1,
    maximum: highestPort,
  },
]

/** Of the data as JSON: several times what the longest frame needs. */
const longestData = 8000

/** What was entered, checked. */
export interface CodecEntry {
  data: object
  /** Undefined when it was left empty. */
  port: number | undefined
}

/** Reads both fields; the errors are by the name of the field. */
export function readCodecFields(entered: {
  codec_data?: unknown
  codec_port?: unknown
}): CodecEntry | { errors: Partial<Record<CodecField['name'], string>> } {
  const data = readData(entered.codec_data)
  const port = readPort(entered.codec_port)
  if (typeof data === 'object' && port !== 'wrong') return { data, port }
  return {
    errors: {
      ...(typeof data === 'string' ? { codec_data: data } : {}),
      ...(port === 'wrong'
        ? { codec_port: `Port must be a whole number from 1 to ${highestPort}.` }
        : {}),
    },
  }
}

/** The object, or a sentence that says what is wrong. */
function readData(entered: unknown): object | string {
  const value = typeof entered === 'string' ? parse(entered) : (entered ?? {})
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'Data must be a JSON object.'
  }
  if (!isShallow(value)) return 'Data has too many levels.'
  if (JSON.stringify(value).length <= longestData) return value
  return `Data may not be greater than ${longestData} characters.`
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readPort(entered: unknown): number | undefined | 'wrong' {
  if (entered === undefined || entered === null || entered === '') return undefined
  const port = typeof entered === 'string' && /^\d{1,3}$/.test(entered) ? Number(entered) : entered
  return isPort(port) ? port : 'wrong'
}

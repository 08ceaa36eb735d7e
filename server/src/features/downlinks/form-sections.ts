import { highestPort, isPort, isShallow } from '../../sensors/codecs/codec-results.ts'
import { settingsOf } from '../../sensors/device-settings.ts'
import type { Field, Section, SectionName } from '../../sensors/settings/section.ts'

/** One of the three parts of the configuration form. Every type of device has all three. */
export interface FormSection {
  /** The `config_type` that sends it. */
  name: SectionName
  label: string
  /** Undefined if the service has no encoding of these settings for the device. */
  section: Section | undefined
  /** The fields of a type whose codec encodes its downlinks. Such a type has no `section`. */
  codecFields: readonly CodecField[]
  /** The reason why there are no fields. Undefined if there are fields. */
  note: string | undefined
}

/** The form's fields for an organization's own type, or a note that explains why there are none. */
export interface CodecForm {
  fields: readonly CodecField[]
  note: string | undefined
}

const labels: readonly [SectionName, string][] = [
  ['sensor', 'Sensor configuration'],
  ['general', 'General configuration'],
  ['advanced', 'Advanced configuration'],
]

const notPublished =
  'How these settings are sent is not published for this type of device, so they can not be set from here.'
const noneOfOwnType =
  'A device of your own type is sent what its codec encodes, by the sensor configuration.'

/**
 * The sections of the form for this type of device. Both the HTML and the data are made from them.
 * `codec` is set for an organization's own type.
 */
export function formSections(typeId: number, codec?: CodecForm): FormSection[] {
  const sections = new Map(settingsOf(typeId).map((section) => [section.name, section]))
  return labels.map(([name, label]) => {
    const section = sections.get(name)
    if (section) return { name, label, section, codecFields: [], note: undefined }
    if (!codec) return { name, label, section, codecFields: [], note: notPublished }
    if (name !== 'sensor') return { name, label, section, codecFields: [], note: noneOfOwnType }
    return { name, label, section, codecFields: codec.fields, note: codec.note }
  })
}

/**
 * Values of sensor fields are in a wrapper object. Other values are sent without one
 * (docs/contract.txt, 4.16).
 */
export function wrapperOf(field: Field, section: SectionName): 'group' | 'main' | undefined {
  return section === 'sensor' ? field.part : undefined
}

/**
 * The field of the same section that decides whether this field takes effect, and the values with
 * which it does.
 */
export function conditionOf({ onlyWhen }: Field, { fields }: Section) {
  const field = fields.find(({ key }) => key === onlyWhen?.key)
  return onlyWhen && field ? { field, values: onlyWhen.values } : undefined
}

/** A field whose value is encoded by the codec of an organization's own type. */
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

/** Characters of the data as JSON, several times what the longest frame needs. */
const longestData = 8000

/** The entered values after the checks. */
interface CodecEntry {
  data: object
  /** Undefined if the field is empty. */
  port: number | undefined
}

/** Reads both fields. The errors are by the name of the field. */
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

/** Returns the object, or a message that says what is wrong. */
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

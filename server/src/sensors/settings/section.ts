/** The parts of the configuration form; one downlink carries one of them. */
export type SectionName = 'general' | 'advanced' | 'sensor'

/** A value of a select, and its text. */
export interface Option {
  value: number
  text: string
}

/** The position of a field in the payload, the 7 bytes after the command byte. */
export interface FieldPlace {
  /** Its first byte, from 0. */
  byte: number
  /** 2: big-endian over this byte and the next. Default 1. */
  length?: 1 | 2
  /** Set when the field is only a part of one byte. */
  bits?: { lowest: number; count: number }
  /** `tenths`: whole units in the first byte, tenths in the second. Default `unsigned`. */
  coding?: 'unsigned' | 'signed' | 'tenths'
}

interface FieldCommon {
  /** A number of ours in the sensor section, the API's name in the others. Never change one. */
  id: number | string
  /** The name in the code, unique in its section. */
  key: string
  label: string
  /** Plain text: the effect of the setting, and of leaving it empty. */
  description: string
  /**
   * The member of POST /devices/{device_id}/configure that holds a field of the sensor section:
   * `group` for choices, `main` for numbers. Fields of the other sections have no such member.
   */
  part: 'group' | 'main'
  place: FieldPlace
  /**
   * The value of an empty field, in the unit of the field. Undefined where it depends on the other
   * fields; see `complete` of the section.
   */
  default?: number
  /** Set when the field counts only for some values of another field, named by its key. */
  onlyWhen?: { key: string; values: readonly number[] }
  /** True when the maker has not published the place or the coding of the field. */
  isInferred: boolean
  /** Displayed with the field: what is inferred, or how sources differ. */
  note?: string
}

/** One of several values, which are sent as they are (supervisory 129 = 1 minute). */
export interface SelectField extends FieldCommon {
  kind: 'select'
  options: readonly Option[]
  /** Values that are not offered, but occur in downlinks from elsewhere. */
  alsoRead?: readonly Option[]
}

/** Any of several bits; the value is the sum of the options chosen. */
interface BitsField extends FieldCommon {
  kind: 'bits'
  options: readonly Option[]
}

/** 1 for yes, 0 for no. */
interface ToggleField extends FieldCommon {
  kind: 'toggle'
}

export interface NumberField extends FieldCommon {
  kind: 'number'
  min: number
  max: number
  /** Distance between two values that can be sent. Values in between are refused. */
  step: number
  /** Empty for plain counts. */
  unit: string
  /** Counts on the wire per unit. */
  scale: number
}

export type Field = SelectField | BitsField | ToggleField | NumberField

/** Values in units, by the key of the field. */
export type Chosen = Readonly<Record<string, number | undefined>>

/** The reason why a value can't be sent; `field` is the id as text, or `config_type`. */
export interface Problem {
  field: string
  /** One sentence for the user. */
  message: string
}

/** The fields of one downlink. */
export interface Section {
  name: SectionName
  label: string
  /** First byte of the downlink; in the sensor section it is the event code of the sensor. */
  command: number
  fields: readonly Field[]
  /** Pairs of keys: the first value must be below the second, where both count. */
  ordered?: readonly (readonly [lower: string, upper: string])[]
  /** Fills in empty fields that have no fixed default. */
  complete?: (chosen: Chosen) => Chosen
  /** Checks the fields together, each valid by itself; gives problems by key. */
  check?: (chosen: Chosen) => { key: string; message: string }[]
}

type Given<Kind extends { isInferred: boolean }, Implied extends keyof Kind> = Omit<
  Kind,
  'kind' | 'part' | 'isInferred' | Implied
> & { isInferred?: true }

const inferred =
  'The maker has not published how this is coded; it is inferred. Check that the sensor accepts it.'

/** Adds the note `inferred` to each inferred field without a note of its own. */
function origin(given: { isInferred?: true; note?: string }) {
  if (!given.isInferred) return { isInferred: false }
  return { isInferred: true, note: given.note ?? inferred }
}

export function select(given: Given<SelectField, never>): SelectField {
  return { ...given, ...origin(given), kind: 'select', part: 'group' }
}

/** A choice of bits; `texts` name them, lowest first. */
export function bits(given: Given<BitsField, 'options'> & { texts: readonly string[] }): BitsField {
  const { texts, ...field } = given
  const options = texts.map((text, bit) => ({ value: 1 << bit, text }))
  return { ...field, ...origin(given), options, kind: 'bits', part: 'group' }
}

export function toggle(given: Given<ToggleField, never>): ToggleField {
  return { ...given, ...origin(given), kind: 'toggle', part: 'group' }
}

/** A number in `unit`; `scale` is the counts per unit, 1 when left out. */
export function number(
  given: Given<NumberField, 'step' | 'scale'> & { scale?: number },
): NumberField {
  const scale = given.scale ?? 1
  return { ...given, ...origin(given), scale, step: 1 / scale, kind: 'number', part: 'main' }
}

/** The section of a sensor's own settings; its command is the event code of the sensor. */
export function sensorSection(section: Omit<Section, 'name' | 'label'>): Section {
  return { name: 'sensor', label: 'Sensor', ...section }
}

/** The events to switch off; `texts` name the bits of the byte, lowest first. */
export function disabledEvents(id: number, byte: number, texts: readonly string[]): BitsField {
  return bits({
    id,
    key: 'disabled_events',
    label: 'Disabled events',
    description: 'Events that are not sent. Left empty, none: all are sent.',
    place: { byte },
    default: 0,
    texts,
  })
}

/** A time in 250 ms, one byte long unless `place` says otherwise. */
export function holdTime(
  given: Pick<NumberField, 'id' | 'key' | 'label' | 'place'> & {
    /** The condition that must hold before the event, as in "it must stay closed". */
    condition: string
    isInferred?: true
  },
): NumberField {
  const { condition, ...field } = given
  return number({
    ...field,
    description: `How long ${condition} before the event. Left empty or 0, at once.`,
    default: 0,
    min: 0,
    max: (256 ** (given.place.length ?? 1) - 1) / 4,
    unit: 's',
    scale: 4,
  })
}

/** A value in words: the text of its option, or the number with its unit. */
export function describeValue(field: Field, value: number): string {
  if (field.kind === 'number') return measure(field, value)
  if (field.kind === 'toggle') return value === 0 ? 'No' : 'Yes'
  if (field.kind === 'select') {
    const known = [...field.options, ...(field.alsoRead ?? [])]
    return known.find((option) => option.value === value)?.text ?? String(value)
  }
  const texts = field.options.filter((option) => value & option.value).map(({ text }) => text)
  return texts.length > 0 ? texts.join(', ') : 'None'
}

/** All values of a choice with their texts; for bits, every combination. */
export function choicesOf(field: Exclude<Field, NumberField>): readonly Option[] {
  if (field.kind === 'select') return field.options
  const count = field.kind === 'toggle' ? 2 : 1 << field.options.length
  return Array.from({ length: count }, (_, value) => ({ value, text: describeValue(field, value) }))
}

/** A value of a number field with its unit. */
export function measure(field: Field, value: number): string {
  return field.kind === 'number' && field.unit !== '' ? `${value} ${field.unit}` : String(value)
}

/** The values of a number field, as in `0 to 63.75 s in steps of 0.25 s`. */
export function rangeOf(field: NumberField): string {
  const range = `${field.min} to ${measure(field, field.max)}`
  return field.step === 1 ? range : `${range} in steps of ${measure(field, field.step)}`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

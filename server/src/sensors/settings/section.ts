/** The parts of the configuration form; one downlink carries one of them. */
export type SectionName = 'general' | 'advanced' | 'sensor'

/** A value that a select offers, and what it means. */
export interface Option {
  value: number
  text: string
}

/** Where a field stands in the payload, which is the 7 bytes after the command byte. */
export interface Place {
  /** Its first byte, from 0. */
  byte: number
  /** 2: big-endian over this byte and the next. Default 1. */
  length?: 1 | 2
  /** Set when the field is a part of one byte. */
  bits?: { lowest: number; count: number }
  /** `tenths`: whole units in the first byte, tenths in the second. Default `unsigned`. */
  coding?: 'unsigned' | 'signed' | 'tenths'
}

interface FieldCommon {
  /** A number of our own in the sensor section, the API's name in the others. Stable for ever. */
  id: number | string
  /** Our name of the field, unique in its section. */
  key: string
  label: string
  /** Plain text: what the setting does, and what happens when it is left empty. */
  description: string
  /**
   * Under which member POST /devices/{device_id}/configure carries a field of the sensor section:
   * `group` for choices, `main` for numbers. The other sections carry bare values.
   */
  part: 'group' | 'main'
  place: Place
  /**
   * What is sent when the field is left empty, in the unit of the field. Undefined where that
   * follows from the other fields; see `complete` of the section.
   */
  default?: number
  /** Set when the field counts only for some values of another: that one's key, and the values. */
  onlyWhen?: { key: string; values: readonly number[] }
  /** True when the maker has not published the place or the coding of the field. */
  isInferred: boolean
  /** To be shown with the field: what is inferred, or how sources differ. */
  note?: string
}

/** One of several values. The values are those of the bytes sent (supervisory 129 = 1 minute). */
export interface SelectField extends FieldCommon {
  kind: 'select'
  options: readonly Option[]
  /** Values that are not offered, but that a downlink from elsewhere can hold. */
  alsoRead?: readonly Option[]
}

/** Any of several bits; the value is the sum of the options chosen. */
export interface BitsField extends FieldCommon {
  kind: 'bits'
  options: readonly Option[]
}

/** 1 for yes, 0 for no. */
export interface ToggleField extends FieldCommon {
  kind: 'toggle'
}

export interface NumberField extends FieldCommon {
  kind: 'number'
  min: number
  max: number
  /** Distance of two values that can be sent; anything between is refused, never rounded. */
  step: number
  /** Empty for plain counts. */
  unit: string
  /** Counts on the wire per unit. */
  scale: number
}

export type Field = SelectField | BitsField | ToggleField | NumberField

/** Values in units, by the key of the field. */
export type Chosen = Readonly<Record<string, number | undefined>>

/** Why a value can't be sent; `field` is the id as text, or `config_type`. */
export interface Problem {
  field: string
  /** One sentence for the user. */
  message: string
}

/** The fields that one downlink carries. */
export interface Section {
  name: SectionName
  label: string
  /** First byte of the downlink; in the sensor section it is the event code of the sensor. */
  command: number
  fields: readonly Field[]
  /** Keys of pairs of which the first must be below the second, where both count. */
  ordered?: readonly (readonly [lower: string, upper: string])[]
  /** Fills in what was left empty and has no fixed default. */
  complete?: (chosen: Chosen) => Chosen
  /** What is wrong with the fields together, by key; each field by itself is right. */
  check?: (chosen: Chosen) => { key: string; message: string }[]
}

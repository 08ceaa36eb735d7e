import { extentOf, int8, type Reader, tenths, uint8 } from './bytes.ts'
import { type Measurement, measurement, rangeMeasurement } from './measurement.ts'
import type { Content, Message, PayloadField } from './sensor.ts'

/** A number in a payload, what it measures, and how it is displayed. */
export interface MeasuredField
  extends Pick<Measurement, 'unit' | 'quantity' | 'decimals' | 'min' | 'max' | 'prefix'> {
  /** In `decoded_object`. */
  key: string
  /** In `decoded_message`. */
  label: string
  /** A reader of `bytes.ts`, and the index of the first byte. */
  read: Reader
  at: number
  /** Counts on the wire per unit of the key; 1 when left out. */
  per?: number
  /** Follows the number in `decoded_message`, with its leading blank. */
  suffix?: string
  /**
   * Follows the number in `current_sensor_state`; left out, neither the state nor the reading shows the
   * number.
   */
  state?: string
  /** Set where some payloads say that the sensor could not measure it. */
  marks?: RangeMarks
}

export const ranges = ['above range', 'below range'] as const
type Range = (typeof ranges)[number]

/** The marks of a quantity that is out of the sensor's range; a marked payload has no number. */
export interface RangeMarks {
  rangeOf(payload: Uint8Array, index: number): Range | undefined
  coding: string
}

/**
 * The maker's marks of a temperature, as its articles about the temperature sensors have them: 0x7F and
 * 0x80. No sensor measures 127 °C or -128 °C in this coding.
 */
export const temperatureMarks: RangeMarks = {
  rangeOf(payload, index) {
    const whole = int8(payload, index)
    if (whole === 0x7f) return 'above range'
    return whole === -0x80 ? 'below range' : undefined
  },
  coding: '127 above range, -128 below',
}

/** With a sign bit 0x80 is a negated 0 as well, so -0.5 °C is a number: only 0x80 and no tenths is the mark. */
export const signedTemperatureMarks: RangeMarks = {
  rangeOf(payload, index) {
    const range = temperatureMarks.rangeOf(payload, index)
    const hasTenths = uint8(payload, index + 1) >> 4 > 0
    return range === 'below range' && hasTenths ? undefined : range
  },
  coding: '0x7F above range, 0x80 without tenths below',
}

export const humidityMarks: RangeMarks = {
  rangeOf: (payload, index) => (tenths(payload, index) > 100 ? 'above range' : undefined),
  coding: 'above 100: above range',
}

function rangeKeyOf(key: string): string {
  return `${key}Range`
}

/** Reads the measurements of a payload. `title` is the event line of `decoded_message`. */
export function readMeasurements(
  fields: readonly MeasuredField[],
  payload: Uint8Array,
  { title, description }: { title: string; description: string },
): Content {
  const values: Content['values'] = {}
  const lines = [title]
  let state: string | undefined
  for (const field of fields) {
    const range = field.marks?.rangeOf(payload, field.at)
    const value = range ?? field.read(payload, field.at) / (field.per ?? 1)
    values[range ? rangeKeyOf(field.key) : field.key] = value
    lines.push(`${field.label}: ${value}${range ? '' : (field.suffix ?? '')}`)
    if (field.state === undefined) continue
    const part = range ? `${field.key} ${range}` : `${value}${field.state}`
    state = state === undefined ? part : `${state}, ${part}`
  }
  const status = state === undefined ? {} : { current_sensor_state: state }
  return { description, values, lines, status }
}

/** Where measurements stand in a payload. */
export function fieldsOf(measured: readonly MeasuredField[]): PayloadField[] {
  return measured.map(({ key, unit, label, read, at, per = 1, marks }) => {
    const { coding, decimals, ...extent } = extentOf(read)
    const plain = `${coding}${inUnits(unit, per)}`
    if (!marks) return { label, at, ...extent, keys: [key], coding: plain }
    const keys = [key, rangeKeyOf(key)]
    return { label, at, ...extent, keys, coding: `${plain}; ${marks.coding}` }
  })
}

function inUnits(unit: string | undefined, per: number): string {
  if (!unit) return per === 1 ? '' : `, 1/${per}`
  return per === 1 ? `, ${unit}` : `, ${unit} / ${per}`
}

/** What such numbers are, and the marks that stand in their place. */
export function measurementsOf(measured: readonly MeasuredField[]): Measurement[] {
  return measured.flatMap(({ key, read, per = 1, state, marks, ...field }) => {
    const isHeadline = state !== undefined
    const { unit, quantity, min, max, prefix, decimals = decimalsOf(read, per) } = field
    const facts = { unit, quantity, decimals, min, max, prefix, isHeadline, inState: state }
    const number = measurement(key, 'number', facts)
    return marks ? [number, rangeMeasurement({ key, isHeadline }, ranges)] : [number]
  })
}

/** As many decimals as the number has at most. */
function decimalsOf(read: Reader, per: number): number {
  const { decimals = 0 } = extentOf(read)
  return decimals + ([0, 1, 2].find((count) => 10 ** count % per === 0) ?? 3)
}

/** The byte that says why a message was sent. */
export function reasonField(texts: readonly string[]): PayloadField {
  return { label: 'Reason', at: 0, keys: ['eventDescription'], texts }
}

/** A message whose first byte is the reason it was sent, followed by measurements. */
interface MeasurementLayout {
  eventCode: number
  event: string
  /** The kind of event, which the maker's console puts before the text of the event byte. */
  title?: string
  /** Texts of the event byte. */
  events: readonly string[]
  fields: readonly MeasuredField[]
  minimumLength: number
}

/** Makes the message of such a layout. */
export function measurementMessage(layout: MeasurementLayout): Message {
  const { eventCode, event, title, events, fields, minimumLength } = layout
  return {
    eventCode,
    event,
    minimumLength,
    fields: [reasonField(events), ...fieldsOf(fields)],
    measurements: measurementsOf(fields),
    decode(payload) {
      const eventByte = uint8(payload, 0)
      const description = events[eventByte] ?? unknownReason(eventByte)
      const line = title === undefined ? description : `${title}: ${description}`
      return readMeasurements(fields, payload, { title: line, description })
    },
  }
}

/** Describes a reason that the maker has not published; the measurements stay readable. */
export function unknownReason(code: number): string {
  return `Unknown reason (${code})`
}

/**
 * Texts of the event byte (0 to 4) of most measuring sensors. `quantity` is the measurement as named
 * by the maker's decoder. Source: RadioBridge/Packet-Decoder, src/decoders.
 */
export function reportEvents(quantity: string): readonly string[] {
  return [
    'Periodic Report',
    `${quantity} has risen above upper threshold`,
    `${quantity} has fallen below lower threshold`,
    'Report on change increase',
    'Report on change decrease',
  ]
}

/**
 * Texts of four event bytes, which sensors of several quantities have for each quantity. Source:
 * RadioBridge/Packet-Decoder, src/decoders/AirTemperatureAndHumiditySensor.ts.
 */
export function quantityEvents(quantity: string): readonly string[] {
  return [
    `${quantity} has risen above upper threshold`,
    `${quantity} has fallen below lower threshold`,
    `${quantity} report on change increase`,
    `${quantity} report on change decrease`,
  ]
}

import { uint8 } from './bytes.ts'
import type { Content, Message } from './sensor.ts'

/** A number in a payload, and how it is shown. */
export interface MeasuredField {
  /** In `decoded_object`; its unit stands in `units.ts`. */
  key: string
  /** In `decoded_message`. */
  label: string
  /** One of `bytes.ts`, and the byte that it begins at. */
  read(payload: Uint8Array, at: number): number
  at: number
  /** What is read is divided by this, to be in the unit of its key. */
  per?: number
  /** What follows the number in `decoded_message`, its blank included. */
  suffix: string
  /** The same in `current_sensor_state`; without it the number is not part of the state. */
  state?: string
}

/** What the fields of a payload say. `title` is the event line of `decoded_message`. */
export function readFields(
  fields: readonly MeasuredField[],
  payload: Uint8Array,
  { title, description }: { title: string; description: string },
): Content {
  const values: Content['values'] = {}
  const lines = [title]
  let state: string | undefined
  for (const field of fields) {
    const value = field.read(payload, field.at) / (field.per ?? 1)
    values[field.key] = value
    lines.push(`${field.label}: ${value}${field.suffix}`)
    if (field.state === undefined) continue
    const part = `${value}${field.state}`
    state = state === undefined ? part : `${state}, ${part}`
  }
  const status = state === undefined ? {} : { current_sensor_state: state }
  return { description, values, lines, status }
}

/** A message whose first byte says why it was sent, and whose other bytes are measurements. */
export interface MeasuringMessage {
  eventCode: number
  event: string
  /** The kind of event that the maker's console puts before the text; without it, the text alone. */
  title?: string
  /** Texts of the event byte. */
  events: readonly string[]
  fields: readonly MeasuredField[]
  minimumLength: number
}

/** The message that such a layout describes. */
export function measuringMessage(layout: MeasuringMessage): Message {
  const { eventCode, event, title, events, fields, minimumLength } = layout
  return {
    eventCode,
    event,
    minimumLength,
    decode(payload) {
      const eventByte = uint8(payload, 0)
      const description = events[eventByte] ?? unknownReason(eventByte)
      const line = title === undefined ? description : `${title}: ${description}`
      return readFields(fields, payload, { title: line, description })
    },
  }
}

/** Describes a reason that the maker has not published; the measurements stay readable. */
export function unknownReason(code: number): string {
  return `Unknown reason (${code})`
}

/**
 * Texts of the event byte (0 to 4) that most measuring sensors share. `quantity` is what the
 * maker's decoder calls the measurement. Source: RadioBridge/Packet-Decoder, src/decoders.
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
 * Texts of the four event bytes that sensors of several quantities have for each of them. Source:
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

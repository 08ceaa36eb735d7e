import { decodeFrame, findMessage, headerLength } from '../decode.ts'
import { unitOf } from '../measurements.ts'
import { renderObject } from '../render.ts'
import type { Frame, Message, PayloadField, Reading, ReadingValue } from '../sensor.ts'
import { cover, type ExplainedPart } from './explained-bytes.ts'

/** A frame of a built-in device type, with its reading. Never throws. */
export function explainFrame(frame: Frame): { reading: Reading; parts: ExplainedPart[] } {
  const { bytes } = frame
  const reading = decodeFrame(frame)
  if (bytes.length < headerLength) {
    return { reading, parts: cover(bytes.length, [], 'Too short for a header') }
  }
  const message = findMessage(bytes[1])
  const isRead = message !== undefined && reading.event !== 'UNKNOWN'
  const header = headerParts(bytes, reading, message)
  if (!isRead) return { reading, parts: cover(bytes.length, header, 'Not decoded') }
  const payload = bytes.subarray(headerLength)
  const parts = message.fields
    .filter((field) => isIn(field, payload))
    .map((field) => partOf(field, payload, reading))
  return { reading, parts: cover(bytes.length, [...header, ...parts]) }
}

function headerParts(
  bytes: Uint8Array,
  reading: Reading,
  message: Message | undefined,
): ExplainedPart[] {
  const [first = 0, code = 0] = bytes
  const hex = `0x${code.toString(16).toUpperCase().padStart(2, '0')}`
  const decided = findValue(message?.codeKeys ?? [], undefined, reading)
  return [
    {
      start: 0,
      length: 1,
      bits: { lowest: 4, count: 4 },
      label: 'Protocol version',
      ...('protocolVersion' in reading.values ? { key: 'protocolVersion' } : {}),
      value: first >> 4,
    },
    {
      start: 0,
      length: 1,
      bits: { lowest: 0, count: 4 },
      label: 'Packet counter',
      value: first & 0x0f,
      meaning: 'counts from 0 to 15, and again from 0',
    },
    {
      start: 1,
      length: 1,
      label: 'Event code',
      value: code,
      ...decided,
      meaning: message ? `${hex}: ${message.event}` : `${hex}: unknown`,
    },
  ]
}

/** Whether all bytes of a field are in this payload. */
function isIn({ at, length = 1, only }: PayloadField, payload: Uint8Array): boolean {
  const end = length === 'rest' ? at + 1 : at + length
  return end <= payload.length && (only?.holds(payload) ?? true)
}

function partOf(field: PayloadField, payload: Uint8Array, reading: Reading): ExplainedPart {
  const { label, at, bits, keys = [], item } = field
  const length = field.length === 'rest' ? payload.length - at : (field.length ?? 1)
  const found = findValue(keys, item, reading)
  const unit = typeof found.value === 'number' && unitOf(keys[0] ?? '')
  const meaning = field.describe?.(payload) ?? wordsOf(keys, found.key, reading)
  return {
    start: headerLength + at,
    length,
    label,
    ...(bits ? { bits } : {}),
    ...found,
    ...(unit ? { unit } : {}),
    ...(meaning === undefined ? {} : { meaning }),
  }
}

function findValue(
  keys: readonly string[],
  item: number | undefined,
  reading: Reading,
): { key?: string; value?: ReadingValue } {
  const values = renderObject(reading)
  const key = keys.find((one) => one in values)
  const whole = key === undefined ? undefined : values[key]
  if (key === undefined || whole === undefined) return {}
  if (item === undefined) return { key, value: whole }
  const value = Array.isArray(whole) ? whole[item] : undefined
  return value === undefined ? { key } : { key, value }
}

/** A text among the other members that the same bytes decide. */
function wordsOf(keys: readonly string[], found: string | undefined, reading: Reading) {
  const values = renderObject(reading)
  const words = keys.filter((key) => key !== found).map((key) => values[key])
  return words.find((value) => typeof value === 'string')
}

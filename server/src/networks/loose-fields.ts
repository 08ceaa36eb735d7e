// Readers for networks that write their messages less strictly than the proto3 JSON mapping of
// message-fields.ts: EUIs with dashes, numbers in texts that may be empty, times as numbers.
import { isEui, normalizeEui } from '../lora/eui.ts'
import { type JsonObject, type Position, readText, toPosition } from './message-fields.ts'
import { NotOurMessage } from './network-message.ts'

/** An EUI with or without dashes or colons, in our own form. */
export function readDashedEui(parent: JsonObject, name: string): string {
  const eui = normalizeEui(readText(parent, name, 40))
  if (isEui(eui)) return eui
  throw new NotOurMessage(`${name} must be an EUI of 16 hexadecimal digits.`)
}

/** Bytes in hexadecimal. */
export function readHexadecimal(parent: JsonObject, name: string): Uint8Array {
  const text = readText(parent, name)
  if (text.length % 2 === 0 && /^[0-9a-f]*$/i.test(text)) return Buffer.from(text, 'hex')
  throw new NotOurMessage(`${name} must be hexadecimal.`)
}

/** A number, or its text; undefined where there is none, or something else in its place. */
export function findNumber(parent: JsonObject, name: string): number | undefined {
  const value = parent[name]
  const isNumeral = typeof value === 'string' && /^\s*-?\d{1,20}(\.\d{1,20})?\s*$/.test(value)
  const number = isNumeral ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A position on Earth; a network that knows none sends zeros, or nothing. */
export function findPosition(
  parent: JsonObject,
  latitudeName: string,
  longitudeName: string,
): Position | undefined {
  const latitude = findNumber(parent, latitudeName)
  const longitude = findNumber(parent, longitudeName)
  if (latitude === undefined || longitude === undefined) return undefined
  return toPosition(latitude, longitude)
}

/** Milliseconds since 1970 as ISO 8601 in UTC with microseconds. */
export function readMilliseconds(parent: JsonObject, name: string): string {
  const time = findNumber(parent, name)
  if (time !== undefined && time >= 0 && time < latest) return toTime(Math.round(time * 1000))
  throw new NotOurMessage(`${name} must be a time in milliseconds since 1970.`)
}

/** Seconds since 1970, with a fraction, as ISO 8601 in UTC with microseconds. */
export function readSeconds(parent: JsonObject, name: string): string {
  const time = findNumber(parent, name)
  if (time !== undefined && time >= 0 && time * 1000 < latest) {
    return toTime(Math.round(time * 1_000_000))
  }
  throw new NotOurMessage(`${name} must be a time in seconds since 1970.`)
}

/** The year 9999 is the last one that every database and program can hold. */
const latest = Date.UTC(9999, 0)

function toTime(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}

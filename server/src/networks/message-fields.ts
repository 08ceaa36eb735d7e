// Readers of single members of the networks' JSON messages. They follow the proto3 JSON mapping,
// which ChirpStack sends (protobuf.dev/programming-guides/json): missing members have their default
// value, integers may be strings, bytes are base64. Written by hand because they run for every uplink:
// for the published `up` event the checks of a zod schema take 4.8 µs, while all of `readMessage`
// takes 4 µs.
//
// What names the device, the payload and the port must be right. Any other member that cannot be used
// is left out and noted (unread.ts); a missing one is noted if the network always sends it.
import { isEui, toEui } from '../lora/eui.ts'
import { NotOurMessage } from './network-message.ts'
import { leaveOut } from './unread.ts'

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws if it is missing. */
export function requireObject(parent: JsonObject, name: string): JsonObject {
  const value = parent[name] ?? undefined
  if (isObject(value)) return value
  throw new NotOurMessage(`${name} ${value === undefined ? 'is missing' : 'must be an object'}.`)
}

/** Undefined when it is missing or no object. */
export function readObject(parent: JsonObject, name: string): JsonObject | undefined {
  const value = parent[name]
  if (value === undefined || isObject(value)) return value
  return leaveOut(name, value)
}

export function readList(parent: JsonObject, name: string): readonly unknown[] {
  const value = parent[name] ?? none
  if (Array.isArray(value) && parent[name] !== null) return value
  leaveOut(name, parent[name])
  return none
}

const none: readonly unknown[] = []

/** The objects of a list. */
export function readObjects(parent: JsonObject, name: string): readonly JsonObject[] {
  const list = readList(parent, name)
  if (list.every(isObject)) return list
  return list.filter((item): item is JsonObject => {
    if (!isObject(item)) leaveOut(name, item)
    return isObject(item)
  })
}

/**
 * Text up to `limit` characters; empty when it is missing. NUL and lone surrogates, which
 * PostgreSQL cannot store, become U+FFFD.
 */
export function readText(parent: JsonObject, name: string, limit = 4096): string {
  const value = parent[name]
  if (value === undefined) return ''
  if (typeof value === 'string' && value.length <= limit) return toStorable(value)
  leaveOut(name, value)
  return ''
}

function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

export function readTruth(parent: JsonObject, name: string): boolean {
  const value = parent[name] ?? false
  if (typeof value === 'boolean' && parent[name] !== null) return value
  leaveOut(name, parent[name])
  return false
}

/** A whole number within the limits; undefined when it is missing. */
export function findInteger(
  parent: JsonObject,
  name: string,
  lowest: number,
  highest: number,
): number | undefined {
  const value = parent[name]
  if (value === undefined) return undefined
  const number = toNumber(value)
  if (number !== undefined && isWhole(number, lowest, highest)) return number
  return leaveOut(name, value)
}

function isWhole(value: number, lowest: number, highest: number): boolean {
  return Number.isInteger(value) && value >= lowest && value <= highest
}

/** 0 when it is missing. */
export function readUint32(parent: JsonObject, name: string): number {
  return findCounter(parent, name) ?? 0
}

/** A frame counter. Undefined when it is missing. */
export function findCounter(parent: JsonObject, name: string): number | undefined {
  return findInteger(parent, name, 0, 4_294_967_295)
}

export function readInt32(parent: JsonObject, name: string): number {
  return findInteger(parent, name, -2_147_483_648, 2_147_483_647) ?? 0
}

/**
 * A LoRaWAN port; 0 when it is missing, as in a frame without an FPort.
 *
 * @throws NotOurMessage
 */
export function readPort(parent: JsonObject, name: string): number {
  const port = toNumber(parent[name] ?? 0)
  if (port !== undefined && isWhole(port, 0, 255)) return port
  throw new NotOurMessage(`${name} must be a whole number from 0 to 255.`)
}

/** A number; 0 when it is missing, undefined for `"NaN"`, `"Infinity"` and what is no number. */
export function readDecimal(parent: JsonObject, name: string): number | undefined {
  const value = parent[name]
  if (value === undefined) return 0
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return undefined
  return findNumber(parent, name)
}

const numeral = /^\s*-?\d{1,20}(\.\d{1,20})?\s*$/

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/**
 * An EUI without dashes, in its normal form.
 *
 * @throws NotOurMessage
 */
export function readEui(parent: JsonObject, name: string): string {
  const value = parent[name]
  if (typeof value === 'string' && isEui(value)) return value.toUpperCase()
  throw new NotOurMessage(`${name} must be an EUI of 16 hexadecimal digits.`)
}

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/**
 * Bytes in base64, of either alphabet, with or without padding. None when it is missing.
 *
 * @throws NotOurMessage
 */
export function readBytes(parent: JsonObject, name: string): Uint8Array {
  const text = payloadText(parent, name)
  if (text !== undefined && isBase64(text)) return Buffer.from(text, 'base64')
  throw new NotOurMessage(`${name} must be base64.`)
}

export function isBase64(text: string): boolean {
  const digits = text.endsWith('=') ? text.replace(/=+$/, '').length : text.length
  return base64.test(text) && digits % 4 !== 1
}

/** Longer than every frame in any coding. */
const longestPayload = 4096

function payloadText(parent: JsonObject, name: string): string | undefined {
  const text = parent[name] ?? ''
  return typeof text === 'string' && text.length <= longestPayload ? text : undefined
}

// Looser readers, for networks that do not follow the proto3 JSON mapping: EUIs with dashes,
// numbers in texts that may be empty, times as numbers.

/**
 * An EUI with or without dashes or colons, in its normal form.
 *
 * @throws NotOurMessage
 */
export function readDashedEui(parent: JsonObject, name: string): string {
  const eui = findEui(parent[name])
  if (eui !== undefined) return eui
  throw new NotOurMessage(`${name} must be an EUI of 16 hexadecimal digits.`)
}

export function findEui(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 40 ? toEui(value) : undefined
}

/**
 * Bytes in hexadecimal. None when it is missing.
 *
 * @throws NotOurMessage
 */
export function readHexadecimal(parent: JsonObject, name: string): Uint8Array {
  const text = payloadText(parent, name)
  if (text !== undefined && isHexadecimal(text)) return Buffer.from(text, 'hex')
  throw new NotOurMessage(`${name} must be hexadecimal.`)
}

export function isHexadecimal(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]*$/i.test(text)
}

/** A number or its text; undefined when it is missing or anything else. */
export function findNumber(parent: JsonObject, name: string): number | undefined {
  const value = parent[name]
  if (value === undefined) return undefined
  return toNumber(value) ?? leaveOut(name, value)
}

/** For networks that send an empty text for what they do not know. */
export function isEmpty(parent: JsonObject, name: string): boolean {
  return (parent[name] ?? '') === ''
}

/** As `readPort`, where an empty text stands for no port. */
export function readLoosePort(parent: JsonObject, name: string): number {
  return isEmpty(parent, name) ? 0 : readPort(parent, name)
}

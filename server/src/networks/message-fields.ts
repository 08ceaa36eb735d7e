// Readers of single members of the networks' JSON messages. They follow the proto3 JSON mapping,
// which ChirpStack sends (protobuf.dev/programming-guides/json): missing members have their default
// value, integers may be strings, bytes are base64. Written by hand because they run for every uplink:
// for the published `up` event the checks of a zod schema take 4.8 µs, while all of `readMessage`
// takes 4 µs.
//
// What names the device, the payload and the port must be right. Any other member that cannot be used
// is left out and noted (`leaveOut`); a missing one is noted if the network always sends it.
import { isEui, toEui } from '../lora/eui.ts'
import { NotOurMessage, type UnreadMember } from './network-message.ts'

/** What one message can add to the counts of its account. */
const mostNoted = 100
const longestExample = 100

/**
 * Of the message that is being read: reading never waits, so there is one at a time. As an argument
 * it would go through every reader of every network.
 */
let noted: UnreadMember[] = []

/** Notes a member that is missing or cannot be used. Returns undefined, its value from then on. */
export function leaveOut(member: string, value: unknown): undefined {
  if (noted.length < mostNoted) noted.push({ member, example: exampleOf(value) })
  return undefined
}

/** Notes those of the members that are missing though the network always sends them. */
export function noteMissing(parent: Record<string, unknown>, ...members: readonly string[]): void {
  for (const member of members) if (parent[member] === undefined) leaveOut(member, undefined)
}

function exampleOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const short = typeof value === 'string' ? value.slice(0, longestExample) : value
  return String(JSON.stringify(short)).toWellFormed()
}

/** Returns what was noted since the last call. */
export function takeNoted(): readonly UnreadMember[] {
  const taken = noted
  if (taken.length > 0) noted = []
  return taken
}

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

function findEui(value: unknown): string | undefined {
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

// Readers of the times of the networks' JSON messages.

const timestamp =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * An RFC 3339 time as ISO 8601 in UTC with microseconds, `2022-07-18T09:34:15.775023Z`.
 * Nanoseconds are cut off, so that a time never moves into the future. Undefined if there is none
 * that can be: no network server is older than LoRa, but clocks that were never set begin with the
 * year 1, 1970 or 1980.
 */
export function readTime(parent: JsonObject, name: string): string | undefined {
  const value = parent[name]
  if (value === undefined) return undefined
  const [, local = '', fraction = '', offset = ''] =
    (typeof value === 'string' && value.length <= 40 && timestamp.exec(value)) || []
  const isLast = last.local === local && last.offset === offset
  const seconds = isLast ? last.seconds : secondsInUtc(local, offset)
  if (!/^[2-9]/.test(seconds)) return leaveOut(name, value)
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

/** Many uplinks come in one second. */
let last = { local: '', offset: '', seconds: '' }

/** The time in UTC; empty if there is no such time. */
function secondsInUtc(local: string, offset: string): string {
  const instant = Date.parse(`${local}Z`)
  // Date.parse takes 30 February for 2 March.
  const isReal = !Number.isNaN(instant) && toSeconds(instant) === local
  last = { local, offset, seconds: isReal ? shift(local, instant, offset) : '' }
  return last.seconds
}

function toSeconds(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19)
}

function shift(local: string, instant: number, offset: string): string {
  if (offset === 'Z' || offset === '+00:00') return local
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return toSeconds(instant - (offset.startsWith('-') ? -minutes : minutes) * 60_000)
}

/** A smaller number of milliseconds would be in 1973: it is seconds. */
const fewestMilliseconds = 100_000_000_000

/** Milliseconds or seconds since 1970 as ISO 8601 in UTC with microseconds. */
export function readMilliseconds(parent: JsonObject, name: string): string | undefined {
  const time = findNumber(parent, name)
  if (time === undefined) return undefined
  const milliseconds = time < fewestMilliseconds ? time * 1000 : time
  if (milliseconds < earliest || milliseconds >= latest) return leaveOut(name, time)
  return toTime(Math.round(milliseconds * 1000))
}

/** 2000, as in `readTime`, and the last year that every database and program can hold. */
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(9999, 0)

function toTime(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}

// Readers for gateways in the networks' JSON messages: which they are, and where.

/**
 * The EUI of a gateway, in one of these members. Where there is none, the network's own name of it, in
 * one of them; empty if there is neither. The first one is noted if it is there and no EUI.
 */
export function readGateway(
  parent: JsonObject,
  ...members: readonly [string, ...string[]]
): string {
  const values = members.map((member) => parent[member])
  const eui = values.map(findEui).find((found) => found !== undefined)
  if (eui !== undefined) return eui
  const name = values.find(isGatewayName)
  if (values[0] !== undefined || name === undefined) leaveOut(members[0], values[0])
  return String(name ?? '')
}

/** For networks that name gateways by ids of their own; empty if there is none. */
export function readGatewayName(parent: JsonObject, member: string): string {
  const value = parent[member]
  if (isGatewayName(value)) return String(value)
  leaveOut(member, value)
  return ''
}

function isGatewayName(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && gatewayName.test(String(value))
}

/** As receptions are stored: without blanks. */
export const gatewayName = /^[!-~]{1,40}$/

export interface Position {
  latitude: number
  longitude: number
}

/** Undefined for 0/0, which stands for an unknown position, and for positions not on Earth. */
function toPosition(latitude: number, longitude: number, name: string): Position | undefined {
  if (latitude === 0 && longitude === 0) return undefined
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  return leaveOut(name, `${latitude}, ${longitude}`)
}

/** The `latitude` and `longitude` of a place. */
export function readPosition(place: JsonObject | undefined): Position | undefined {
  if (!place) return undefined
  const latitude = readDecimal(place, 'latitude')
  const longitude = readDecimal(place, 'longitude')
  if (latitude === undefined || longitude === undefined) return undefined
  return toPosition(latitude, longitude, 'latitude')
}

/** A position on Earth; undefined if it is missing or 0/0. */
export function findPosition(
  parent: JsonObject,
  latitudeName: string,
  longitudeName: string,
): Position | undefined {
  const latitude = findNumber(parent, latitudeName)
  const longitude = findNumber(parent, longitudeName)
  if (latitude === undefined || longitude === undefined) return undefined
  return toPosition(latitude, longitude, latitudeName)
}

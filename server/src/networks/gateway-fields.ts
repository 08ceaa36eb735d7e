// Readers for gateways in the networks' JSON messages: which they are, and where.
import { findEui, findNumber, type JsonObject, readDecimal } from './message-fields.ts'
import { leaveOut } from './unread.ts'

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

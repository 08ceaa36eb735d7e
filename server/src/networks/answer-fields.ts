// What the answers of networks' APIs hold. Unlike a message, an answer is never refused for a member
// that is missing: what is read of it is then empty, and the call that needs it fails in plain words.
import { isObject, type JsonObject } from './message-fields.ts'

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The objects of a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A number is taken as its digits, since ids come as either; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

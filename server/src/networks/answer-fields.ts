// Reads the answers of networks' APIs. Unlike a message, an answer is never refused for a member
// that is missing: the member is empty, and the call that needs it fails in plain words.
import { toEui } from '../lora/eui.ts'
import { isObject, type JsonObject } from './message-fields.ts'
import type { ListedThing } from './network.ts'

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The objects of a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A number is read as its digits, since ids come as either; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

/** A device or gateway of a list; none where it has no EUI, by which all of ours are known. */
export function toListed(
  eui: unknown,
  name: unknown,
  told: { joinEui?: unknown; appKey?: unknown; tags?: Record<string, unknown> } = {},
): ListedThing[] {
  const known = toEui(eui)
  if (known === undefined) return []
  const [joinEui, appKey] = [toEui(told.joinEui), textOf(told.appKey)]
  const { tags = {} } = told
  return [
    {
      eui: known,
      name: textOf(name),
      ...(joinEui && { joinEui }),
      ...(appKey && { appKey }),
      ...(Object.keys(tags).length > 0 && { tags }),
    },
  ]
}

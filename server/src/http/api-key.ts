import { randomBytes } from 'node:crypto'
import type { Caller } from './endpoint.ts'

/**
 * An API key is `lfc_`, the id of its organization, and 256 random bits: searches of sources for
 * secrets find it, and it is looked up only among the keys of its organization. No token of a
 * session looks like one, because tokens have 43 characters and no more.
 */
const format = /^lfc_(\d{1,10})_[\w-]{43}$/

export function newApiKey(organizationId: number): string {
  return `lfc_${organizationId}_${randomBytes(32).toString('base64url')}`
}

/** The organization of a text that looks like an API key; undefined for any other. */
export function organizationOfKey(text: string): number | undefined {
  const digits = format.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Who acts, where something is counted or kept for each: a user, or an API key by itself. */
export function actorOf({ userId, key }: Pick<Caller, 'userId' | 'key'>): number | string {
  return key ? `key ${key.id}` : userId
}

import { newApiKey } from '../../http/api-key.ts'
import { hashToken } from '../sessions/sessions.ts'
import type { NewSecret } from './api-key-queries.ts'

/** Characters by which people recognize a key in the list. */
const shownEnd = 4

/** A new key, and what is stored of it. */
export function newSecret(organizationId: number): { text: string; secret: NewSecret } {
  const text = newApiKey(organizationId)
  return { text, secret: { hash: hashToken(text), end: text.slice(-shownEnd) } }
}

import type { Answer } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import type { StateKind } from '../../../ui/state.tsx'

export type ApiKey = Answer<'GET /api-keys'>['data'][number]

/** What a change of a key makes old. */
export const apiKeyReads = ['GET /api-keys', 'GET /api-keys/{key_id}'] as const

const day = 24 * 60 * 60 * 1000

/** The state of a key, with what should be looked at first. */
export function stateOf(key: ApiKey, now: number): readonly [StateKind, string] {
  if (key.state === 'expired') return ['bad', t('Expired')]
  if (!key.created_by.is_member) return ['warn', t('Creator has left')]
  if (key.expires_at !== null && Date.parse(key.expires_at) - now < 14 * day) {
    return ['warn', t('Expires soon')]
  }
  if (key.former_key_until !== null) return ['waiting', t('Being rotated')]
  return key.last_used_at === null ? ['off', t('Not used yet')] : ['good', t('Valid')]
}

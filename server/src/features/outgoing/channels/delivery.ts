import type { Database } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import type { MailSettings } from '../../people/auth/mail-settings.ts'
import type { Poster } from '../webhooks/post-message.ts'

export interface DeliveryServices {
  sealer: Sealer
  poster: Poster
  mail?: MailSettings | undefined
  now(): Date
  db: Database
  publicUrl: string
}

/** What became of one message. */
export interface Delivery {
  isDelivered: boolean
  /** Why not, for people. */
  failure?: string
  /** Another attempt would be refused too. */
  isFinal?: boolean
  retryAfterMs?: number | undefined
}

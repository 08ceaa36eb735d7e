import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
import type { Presence } from '../db/presence.ts'
import type { Sealer } from '../db/seal.ts'
import type { Signals } from '../db/signals.ts'
import { endpointsFor } from '../http/endpoint.ts'
import type { Outside } from '../networks/outside.ts'
import type { CodecPool } from '../sensors/codecs/pool.ts'
import type { Tracer } from '../traces/tracer.ts'

/**
 * What every feature may use. A feature that offers more extends this interface in its own folder,
 * and a handler that needs more names that interface.
 */
export interface CoreServices {
  db: Database
  /**
   * Connections of their own for what networks send: the ingest queue and all that a callback needs.
   * However many requests wait for `db`, uplinks go on being stored.
   */
  ingestDb: Database
  /** Wakes requests that wait for another request or for background work. */
  signals: Signals
  presence: Presence
  /** Seals device keys, network credentials and two-factor secrets at rest. */
  sealer: Sealer
  log: FastifyBaseLogger
  tracer: Tracer
  now(): Date
  /** Where clients and networks reach the service; no slash at the end. */
  publicUrl: string
  /** What network accounts may call. */
  outside: Outside
  /** Failed logins a minute per account and address. */
  loginRateLimit: number
  /** Who does not own an organization logs in by single sign-on only. */
  isPasswordForOwnersOnly: boolean
  /** Runs the codecs of the organizations' own device types. */
  codecs: CodecPool
}

export const { endpoint, openEndpoint, messageEndpoint } = endpointsFor<CoreServices>()

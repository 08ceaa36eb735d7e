import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
import type { Presence } from '../db/presence.ts'
import type { Sealer } from '../db/seal.ts'
import type { Signals } from '../db/signals.ts'
import { endpointsFor } from '../http/endpoint.ts'
import type { Outside } from '../networks/outside.ts'
import type { CodecPool } from '../sensors/codecs/pool.ts'
import type { MailSettings } from './auth/mail-settings.ts'
import type { ResetMails } from './auth/reset-mails.ts'
import type { BillingProvider } from './billing/billing-provider.ts'
import type { Subscriptions } from './brokers/subscriptions.ts'
import type { UplinkTimes } from './callbacks/heard-accounts.ts'
import type { SignsOfLife } from './callbacks/signs-of-life.ts'
import type { NetworkConnections } from './connections/connections.ts'
import type { DownlinkWriter } from './downlinks/downlink-writer.ts'
import type { QueueChecks } from './downlinks/queue-checks.ts'
import type { DownlinkSender } from './downlinks/sender.ts'
import type { Provisioner } from './provisioning/provisioner.ts'
import type { IngestQueue } from './uplinks/ingest-queue.ts'

/** What a handler may use. Made once, at start. */
export interface Services {
  db: Database
  /**
   * Connections of its own for what networks send: the ingest queue and all that a callback needs.
   * However many requests wait for `db`, uplinks go on being stored.
   */
  ingestDb: Database
  /** Wakes requests that wait for what another one, or the background, does. */
  signals: Signals
  presence: Presence
  /** Seals device keys, network credentials and two-factor secrets at rest. */
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  /** Where clients and networks reach the service; no slash at the end. */
  publicUrl: string
  /** What network accounts may call. */
  outside: Outside
  /** Failed logins a minute per account and address. */
  loginRateLimit: number
  billing: BillingProvider
  connections: NetworkConnections
  signsOfLife: SignsOfLife
  provisioner: Provisioner
  downlinkSender: DownlinkSender
  downlinkWriter: DownlinkWriter
  queueChecks: QueueChecks
  ingest: IngestQueue
  /** Runs the codecs of the organizations' own device types. */
  codecs: CodecPool
  subscriptions: Subscriptions
  uplinkTimes: UplinkTimes
  /** The operator's mail server; undefined where there is none, and nothing is mailed. */
  mail: MailSettings | undefined
  resetMails: ResetMails
}

export const { endpoint, openEndpoint } = endpointsFor<Services>()

import type { Database } from '../../../db/connect.ts'
import type { WriteHealth } from '../../../db/write-health.ts'
import type { CodecPool } from '../../../sensors/codecs/pool.ts'
import type { Tracer } from '../../../traces/tracer.ts'
import type { HeardAccounts } from '../../../uplinks/receive/heard-accounts.ts'
import { type CommitTimes, commitBounds } from '../../../uplinks/store/batch-timing.ts'
import type { IngestQueue } from '../../../uplinks/store/ingest-queue.ts'
import type { MetricHead, MetricRow } from './metric-queries.ts'

/** What one part of the service has in its own memory: a server, or the background work. */
export interface MeteredServices {
  db: Pick<Database, 'usage'>
  ingestDb: Pick<Database, 'usage'>
  ingest: Pick<IngestQueue, 'depth' | 'oldestWait' | 'refusals' | 'commitTimes'>
  heardAccounts: Pick<HeardAccounts, 'unreadMessages'>
  codecs: Pick<CodecPool, 'depth'>
  tracer: Pick<Tracer, 'counts'>
  writeHealth: Pick<WriteHealth, 'fault'>
  logOutput: { dropped(): number }
}

interface ProcessMetric extends MetricHead {
  read(services: MeteredServices): MetricRow[]
}

/** Each part of the service has samples of its own, with the label `process`. */
export const processMetrics: readonly ProcessMetric[] = [
  {
    name: 'lora_ingest_waiting_messages',
    help: 'Messages of networks that are queued or being stored.',
    type: 'gauge',
    read: ({ ingest }) => [{ value: ingest.depth() }],
  },
  {
    name: 'lora_ingest_oldest_message_seconds',
    help: 'Time since the arrival of the message that waits longest to be stored; 0 if none waits.',
    type: 'gauge',
    read: ({ ingest }) => [{ value: ingest.oldestWait() }],
  },
  {
    name: 'lora_ingest_commit_seconds',
    help: 'Time in which a batch of messages was stored.',
    type: 'histogram',
    read: ({ ingest }) => ofTimes(ingest.commitTimes()),
  },
  {
    name: 'lora_ingest_refused_messages_total',
    help: 'Messages that were refused because an organization had used its share of the queue.',
    type: 'counter',
    read: ({ ingest }) => [{ value: ingest.refusals() }],
  },
  {
    name: 'lora_messages_partly_read_total',
    help: 'Stored messages with members that were left out, by sender: accounts, and gateways of kind `other`.',
    type: 'counter',
    read: ({ heardAccounts }) =>
      Object.entries(heardAccounts.unreadMessages()).map(([sender, value]) => ({ sender, value })),
  },
  {
    name: 'lora_codec_waiting_frames',
    help: 'Frames that wait for a thread of the codecs of organizations.',
    type: 'gauge',
    read: ({ codecs }) => [{ value: codecs.depth() }],
  },
  {
    name: 'lora_database_connections_used',
    help: 'Connections to the database in use, by pool.',
    type: 'gauge',
    read: (services) => ofPools(services, 'used'),
  },
  {
    name: 'lora_database_callers_waiting',
    help: 'Callers that wait for a connection, by pool.',
    type: 'gauge',
    read: (services) => ofPools(services, 'waiting'),
  },
  {
    name: 'lora_traces_spans_total',
    help: 'Spans that the collector of traces took, and those that were dropped.',
    type: 'counter',
    read: ({ tracer }) => {
      const { sent, dropped } = tracer.counts()
      return [
        { outcome: 'sent', value: sent },
        { outcome: 'dropped', value: dropped },
      ]
    },
  },
  {
    name: 'lora_database_writable',
    help: '1 while the database takes writes; 0 after one was refused, as for a full disk.',
    type: 'gauge',
    read: ({ writeHealth }) => [{ value: writeHealth.fault() === undefined ? 1 : 0 }],
  },
  {
    name: 'lora_log_lines_dropped_total',
    help: 'Lines of the log that could not be written, as to a full disk.',
    type: 'counter',
    read: ({ logOutput }) => [{ value: logOutput.dropped() }],
  },
  {
    name: 'lora_process_resident_memory_bytes',
    help: 'Memory of the process; parts in one process tell the same.',
    type: 'gauge',
    read: () => [{ value: process.memoryUsage.rss() }],
  },
]

function ofPools({ db, ingestDb }: MeteredServices, what: 'used' | 'waiting'): MetricRow[] {
  return [
    { pool: 'requests', value: db.usage()[what] },
    { pool: 'ingest', value: ingestDb.usage()[what] },
  ]
}

/** The samples of a histogram, in the order that Prometheus asks for. */
function ofTimes({ counts, count, seconds }: CommitTimes): MetricRow[] {
  const buckets = [...commitBounds.map(String), '+Inf'].map((le, at) => ({
    part: 'bucket',
    le,
    value: counts[at] ?? count,
  }))
  return [...buckets, { part: 'sum', value: seconds }, { part: 'count', value: count }]
}

/** The rows of all these metrics, in their order. */
export function readProcess(services: MeteredServices): MetricRow[][] {
  return processMetrics.map(({ read }) => read(services))
}

/** Joins the rows of several parts, each with the part's name as its label `process`. */
export function joinProcesses(parts: Readonly<Record<string, MetricRow[][]>>): MetricRow[][] {
  return processMetrics.map((_, at) =>
    Object.entries(parts).flatMap(([process, rows]) =>
      (rows[at] ?? []).map((row) => ({ process, ...row })),
    ),
  )
}

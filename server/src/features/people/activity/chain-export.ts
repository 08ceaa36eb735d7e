import { type Cell, csvLine } from '../../../http/csv.ts'
import type { CoreServices } from '../../core-services.ts'
import { tryToOpen } from './chain-head.ts'
import { findChain, findHash } from './chain-queries.ts'
import { type AuditLine, type ChainPlace, canonicalForm, chainStart } from './chain-record.ts'
import { readLines } from './verify-chain.ts'

type Services = Pick<CoreServices, 'db' | 'sealer'>

const columns = [
  'position',
  'at',
  'user_email',
  'user_id',
  'key_id',
  'key_name',
  'address',
  'operation',
  'status',
  'kind',
  'action',
  'subject',
  'name',
  'count',
  'fields',
  'previous',
  'hash',
]

/** How each format writes a record. Lines of JSON are canonical themselves. */
export const chainFormats = {
  csv: {
    header: csvLine(columns),
    write: (line: AuditLine) => csvLine(columns.map((column) => toCell(line[column]))),
  },
  ndjson: { header: '', write: (line: AuditLine) => `${canonicalForm(line)}\n` },
}

export type ChainFormat = keyof typeof chainFormats

function toCell(value: unknown): Cell {
  return Array.isArray(value) ? value.join(' ') : ((value ?? null) as Cell)
}

/** The chained records behind a position, in pieces of some hundred records. */
export async function* exportChain(
  services: Services,
  organizationId: number,
  { after, format }: { after: number; format: ChainFormat },
): AsyncGenerator<string> {
  const { header, write } = chainFormats[format]
  if (header !== '') yield header
  const place = await findPlace(services, organizationId, after)
  for await (const lines of readLines(services.db, organizationId, place)) {
    yield lines.map(write).join('')
  }
}

/** The place behind which records are read, with the hash that the first of them names. */
export async function findPlace(
  { db, sealer }: Services,
  organizationId: number,
  after: number,
): Promise<ChainPlace> {
  const chain = await findChain(db, organizationId)
  const removed = (chain && tryToOpen(sealer, chain)?.removed) ?? chainStart
  if (after <= removed.position) return removed
  const hash = await findHash(db, organizationId, after)
  return { position: after, hash: hash ?? chainStart.hash }
}

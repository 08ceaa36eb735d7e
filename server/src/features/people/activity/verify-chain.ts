import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { type ChainHead, tryToOpen } from './chain-head.ts'
import * as chainQueries from './chain-queries.ts'
import {
  type AuditLine,
  type ChainPlace,
  chainStart,
  hashOfRecord,
  toAuditRecord,
} from './chain-record.ts'

/** The first record that does not fit; position 0: the head itself. */
export interface ChainFault {
  position: number
  message: string
}

/** What a chain came to. */
export interface Verification {
  fault: ChainFault | undefined
  /** Records that fit together, from the oldest. */
  records: number
  /** Where the check ended. */
  last: ChainPlace
}

/** Why a record does not follow `place`; undefined if it does. */
export function findFault(
  { hash, ...record }: AuditLine,
  place: ChainPlace,
): ChainFault | undefined {
  const position = place.position + 1
  if (record.position !== position) {
    return { position, message: `Record ${position} is missing.` }
  }
  if (record.previous !== place.hash) {
    const message = `Record ${position} does not name the hash of the record before it.`
    return { position, message }
  }
  if (hashOfRecord(record) === hash) return undefined
  return { position, message: `Record ${position} has another hash than its content gives.` }
}

/** Records of one query: a few milliseconds of hashing. */
const portionSize = 500

/** The stored records behind a place, in portions; each record names the hash of the one before. */
export async function* readLines(
  db: Queryable,
  organizationId: number,
  place: ChainPlace,
): AsyncGenerator<AuditLine[]> {
  for (let { position: after, hash: previous } = place; ; ) {
    const rows = await chainQueries.listRecords(db, organizationId, { after, limit: portionSize })
    const lines = rows.map(({ hash, ...row }) => {
      const line = { ...toAuditRecord(organizationId, row, previous), hash }
      previous = hash
      return line
    })
    if (lines.length > 0) yield lines
    if (lines.length < portionSize) return
    after = lines.at(-1)?.position ?? after
    await nextTurn()
  }
}

export interface StoredVerification extends Verification {
  /** Undefined where there is no chain, or its head does not open. */
  head: ChainHead | undefined
}

/** Tries, if retention removes records while they are read. */
const mostTries = 3

/** Checks the stored chain of an organization against its sealed head. */
export async function verifyStored(
  db: Queryable,
  sealer: Sealer,
  organizationId: number,
): Promise<StoredVerification> {
  for (let tries = 1; ; tries += 1) {
    const found = await verifyOnce(db, sealer, organizationId)
    if (!found.fault || tries === mostTries) return found
    const chain = await chainQueries.findChain(db, organizationId)
    if (chain?.removed_position === found.head?.removed.position) return found
  }
}

async function verifyOnce(
  db: Queryable,
  sealer: Sealer,
  organizationId: number,
): Promise<StoredVerification> {
  const chain = await chainQueries.findChain(db, organizationId)
  const head = chain && tryToOpen(sealer, chain)
  if (!head) return judgeWithoutHead(db, organizationId, chain !== undefined)
  let last = head.removed
  const end = (fault: ChainFault | undefined): StoredVerification => {
    return { fault, records: last.position - head.removed.position, last, head }
  }
  for await (const lines of readLines(db, organizationId, head.removed)) {
    for (const line of lines) {
      // Chained since the head was read.
      if (line.position > head.last.position) break
      const fault = findFault(line, last)
      if (fault) return end(fault)
      last = { position: line.position, hash: line.hash }
    }
    if (last.position === head.last.position) break
  }
  return end(compareWithHead(last, head) ?? (await findBeyond(db, organizationId)))
}

async function findBeyond(db: Queryable, organizationId: number): Promise<ChainFault | undefined> {
  const position = await chainQueries.findBeyond(db, organizationId)
  if (position === undefined) return undefined
  return { position, message: `Record ${position} is after the end of the chain.` }
}

function compareWithHead(last: ChainPlace, head: ChainHead): ChainFault | undefined {
  if (last.position < head.last.position) {
    const position = last.position + 1
    return { position, message: `Record ${position} is missing.` }
  }
  if (last.hash === head.last.hash) return undefined
  const { position } = last
  const message = `Record ${position} is not the one that the service has sealed: this record, or records before it, were rewritten.`
  return { position, message }
}

async function judgeWithoutHead(
  db: Queryable,
  organizationId: number,
  hasChain: boolean,
): Promise<StoredVerification> {
  const none = { records: 0, last: chainStart, head: undefined }
  if (hasChain) {
    const message =
      'The head of the chain does not open with the key of the service, or was changed.'
    return { ...none, fault: { position: 0, message } }
  }
  const [first] = await chainQueries.listRecords(db, organizationId, { after: 0, limit: 1 })
  if (!first) return { ...none, fault: undefined }
  return { ...none, fault: { position: 0, message: 'The head of the chain is missing.' } }
}

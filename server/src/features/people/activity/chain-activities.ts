import type { CoreServices } from '../../core-services.ts'
import { newHead, openHead, sealHead } from './chain-head.ts'
import * as chainQueries from './chain-queries.ts'
import { queueRecords } from './chain-queries.ts'
import { type AuditLine, type ChainPlace, hashOfRecord, toAuditRecord } from './chain-record.ts'

type Services = Pick<CoreServices, 'db' | 'now' | 'log' | 'sealer'>

/** Activities of one transaction: some milliseconds of hashing. */
const portionSize = 500

/**
 * Puts the activities that requests have stored into the chains of their organizations. The
 * organizations take turns, a portion each, until nothing is left.
 */
export async function chainActivities(services: Services, isStopped = () => false): Promise<void> {
  const { db, log } = services
  const failed = new Set<number>()
  for (let after = 0, chained = 0; !isStopped(); ) {
    const organizationId = await chainQueries.findUnchained(db, after)
    if (organizationId === undefined) {
      if (chained === 0) return
      ;[after, chained] = [0, 0]
      continue
    }
    after = organizationId
    if (failed.has(organizationId)) continue
    try {
      chained += await chainPortion(services, organizationId)
    } catch (err) {
      failed.add(organizationId)
      log.error({ err, organizationId }, 'activities cannot be chained')
    }
  }
}

/**
 * Chains the oldest activities that wait. The row of the chain is locked meanwhile, and a process
 * that finds it locked leaves the work to the other. Returns how many were chained.
 */
async function chainPortion(
  { db, now, sealer }: Services,
  organizationId: number,
): Promise<number> {
  if (!(await chainQueries.findChain(db, organizationId))) {
    await chainQueries.insertChain(db, sealHead(sealer, organizationId, newHead(now())))
  }
  return db.transaction(async (tx) => {
    const chain = await chainQueries.lockChain(tx, organizationId)
    if (!chain) return 0
    const head = openHead(sealer, chain)
    const rows = await chainQueries.listUnchained(tx, organizationId, portionSize)
    const lines = follow(organizationId, rows, head.last)
    const last = lines.at(-1)
    if (!last) return 0
    await chainQueries.storeChained(tx, organizationId, lines)
    await queueRecords(tx, organizationId, lines)
    const { position, hash } = last
    const moved = { ...head, last: { position, hash } }
    await chainQueries.updateChain(tx, sealHead(sealer, organizationId, moved))
    return lines.length
  })
}

/** Gives each row its position and hash behind `place`. */
function follow(
  organizationId: number,
  rows: Awaited<ReturnType<typeof chainQueries.listUnchained>>,
  place: ChainPlace,
): AuditLine[] {
  let { position, hash: previous } = place
  return rows.map((row) => {
    position += 1
    const record = toAuditRecord(organizationId, { ...row, position }, previous)
    previous = hashOfRecord(record)
    return { ...record, hash: previous }
  })
}

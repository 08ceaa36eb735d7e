import type { CoreServices } from '../../core-services.ts'
import { chainActivities } from './chain-activities.ts'
import { openHead, sealHead } from './chain-head.ts'
import * as chainQueries from './chain-queries.ts'

type Services = Pick<CoreServices, 'db' | 'now' | 'log' | 'sealer'>

const keptMilliseconds = 365 * 24 * 60 * 60 * 1000
/** Records of one organization. */
const mostKept = 100_000
/** Records that one transaction removes. */
const portionSize = 5_000

/**
 * Keeps a year, and the newest 100,000 records of each organization. Only the oldest end of a chain
 * is removed, and its head says where the rest begins.
 */
export async function removeOldActivities(
  services: Services,
  { most = mostKept, isStopped = () => false }: { most?: number; isStopped?: () => boolean } = {},
): Promise<void> {
  const { db, now, log } = services
  const before = new Date(now().getTime() - keptMilliseconds)
  await chainActivities(services, isStopped)
  for (const organizationId of await chainQueries.listWithOld(db, { before, most })) {
    try {
      while (!isStopped() && (await removePortion(services, organizationId, { before, most }))) {}
    } catch (err) {
      log.error({ err, organizationId }, 'old activities cannot be removed')
    }
  }
}

/** Returns whether there may be more to remove. */
function removePortion(
  { db, sealer }: Services,
  organizationId: number,
  { before, most }: { before: Date; most: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const chain = await chainQueries.lockChain(tx, organizationId)
    if (!chain) return false
    const head = openHead(sealer, chain)
    const upTo = Math.min(head.last.position, head.removed.position + portionSize)
    const old = await chainQueries.findLastBefore(tx, organizationId, { before, upTo })
    const position = Math.min(upTo, Math.max(old, head.last.position - most))
    if (position <= head.removed.position) return false
    const hash = await chainQueries.findHash(tx, organizationId, position)
    if (hash === undefined) return false
    await chainQueries.removeUpTo(tx, organizationId, position)
    const removed = { position, hash }
    await chainQueries.updateChain(tx, sealHead(sealer, organizationId, { ...head, removed }))
    return position === upTo && upTo < head.last.position
  })
}

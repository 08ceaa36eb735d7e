import { SealError, type Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { StoredChain } from './chain-queries.ts'
import { type ChainPlace, chainStart } from './chain-record.ts'

/** What the service vouches for: nobody without its key can write another one. */
export interface ChainHead {
  /** The newest record of the chain. */
  last: ChainPlace
  /** The newest record that retention has removed: the chain is checked from there. */
  removed: ChainPlace
  /** When the chain began, as ISO 8601. */
  began_at: string
}

export function newHead(now: Date): ChainHead {
  return { last: chainStart, removed: chainStart, began_at: now.toISOString() }
}

/** The head as the row of its chain. */
export function sealHead(sealer: Sealer, organizationId: number, head: ChainHead): StoredChain {
  const context = sealContext('chainHead', organizationId)
  return {
    organization_id: organizationId,
    position: head.last.position,
    removed_position: head.removed.position,
    sealed_head: sealer.seal(JSON.stringify(head), context),
  }
}

/** @throws SealError when another key sealed it, or somebody without the key has changed the row. */
export function openHead(sealer: Sealer, chain: StoredChain): ChainHead {
  const context = sealContext('chainHead', chain.organization_id)
  const head: ChainHead = JSON.parse(sealer.open(chain.sealed_head, context))
  const { last, removed } = head
  if (last.position === chain.position && removed.position === chain.removed_position) return head
  throw new SealError('damaged', `The positions beside ${context} are not the sealed ones.`)
}

/** Undefined where `openHead` throws. */
export function tryToOpen(sealer: Sealer, chain: StoredChain): ChainHead | undefined {
  try {
    return openHead(sealer, chain)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/sealed-columns.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { CoreServices } from '../core-services.ts'
import { findBusy } from '../provisioning/outbox-batch-queries.ts'
import { done, onItsWay, refused } from './adoption.ts'
import type { NetworkKey } from './inspection.ts'
import type { RowResult } from './reconciliation-record.ts'
import { lockSteady, type RepairTarget, takeOverAll } from './repair-queries.ts'

/** What a device here is to have from now on, since its network has it. */
export interface TakeOver {
  eui: string
  key: NetworkKey | undefined
  joinEui: string | undefined
}

/**
 * Records here what the network has of devices that both sides have, without a call, and gives the
 * result of each, in order. A key that was changed here since the comparison stays.
 */
export function takeOver(
  { db, sealer }: Pick<CoreServices, 'db' | 'sealer'>,
  { account }: { account: StoredAccount },
  asked: readonly TakeOver[],
): Promise<RowResult[]> {
  return db.transaction(async (tx) => {
    const euis = asked.map(({ eui }) => eui)
    const locked = await lockSteady(tx, account, 'device', euis)
    const busy = await findBusy(tx, account, 'device', euis)
    const targets = new Map(locked.map((target) => [target.eui, target]))
    const changes = asked.flatMap((each) => {
      const target = busy.has(each.eui) ? undefined : targets.get(each.eui)
      return target ? toChange(sealer, target, each) : []
    })
    const changed = await takeOverAll(tx, changes)
    return asked.map(({ eui, key }) => {
      const target = targets.get(eui)
      if (!target || !changed.has(target.id)) return refused(onItsWay)
      return done(`The network's ${key ? 'key' : 'JoinEUI'} is known here now.`)
    })
  })
}

function toChange(sealer: Sealer, { id }: RepairTarget, { key, joinEui }: TakeOver) {
  return {
    id,
    joinEui: joinEui ?? null,
    sealedKey: key ? sealer.seal(key.key, sealContext('deviceKey', id)).toString('hex') : null,
    sealedBefore: key?.sealedHere?.toString('hex') ?? null,
  }
}

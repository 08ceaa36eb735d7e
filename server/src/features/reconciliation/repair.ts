import type { Queryable } from '../../db/connect.ts'
import { deviceKeyContext } from '../devices/registration.ts'
import type { StoredAccount } from '../network-accounts/account-queries.ts'
import { type Call, enqueueAll, findBusy } from '../provisioning/outbox-batch-queries.ts'
import type { Services } from '../services.ts'
import { done, onItsWay, refused } from './adoption.ts'
import type { Kind } from './difference.ts'
import type { RowResult } from './reconciliation-record.ts'
import { lockSteady, markPending, type RepairTarget, setSealedKeys } from './repair-queries.ts'

/** What the network is to be told once more; nothing where only the key is to be known here. */
export interface Repair {
  kind: Kind
  eui: string
  difference: 'only_here' | 'name_differs' | undefined
  /** Of a device that was adopted without one. */
  key: string | undefined
}

type Planned = RepairTarget & Repair

/** Puts the calls into the outbox, and gives the result of each, in order. All are of one kind. */
export function repair(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  { account, now }: { account: StoredAccount; now: Date },
  kind: Kind,
  repairs: readonly Repair[],
): Promise<RowResult[]> {
  return db.transaction(async (tx) => {
    const euis = repairs.map(({ eui }) => eui)
    const locked = await lockSteady(tx, account, kind, euis)
    // Only now, so that of two repairs at once the second sees the calls of the first.
    const busy = await findBusy(tx, account, kind, euis)
    const targets = new Map(locked.map((target) => [target.eui, target]))
    const planned: Planned[] = []
    const results = repairs.map((asked) => {
      const target = targets.get(asked.eui)
      if (!target && asked.difference === undefined) return refused(notHere)
      if (!target || busy.has(asked.eui)) return refused(onItsWay)
      const fault = findKeyFault(target, asked)
      if (fault !== undefined) return refused(fault)
      planned.push({ ...target, ...asked })
      return done(wordsFor(asked))
    })
    await carryOut(tx, { sealer, now }, kind, planned)
    return results
  })
}

const notHere = 'There is no such device in this account, or it is being changed just now.'

function wordsFor({ kind, difference }: Repair): string {
  if (difference === undefined) return 'The key of the device is known here now.'
  return difference === 'only_here'
    ? `The network is told of the ${kind} again.`
    : `The network is told the name of the ${kind}.`
}

function findKeyFault({ has_key }: RepairTarget, { difference, key }: Repair): string | undefined {
  if (has_key) return key === undefined ? undefined : 'The device has a key already.'
  if (difference === 'only_here' && key === undefined) {
    return 'The key of the device is not known here. Please send device_key with the row.'
  }
  return undefined
}

async function carryOut(
  tx: Queryable,
  { sealer, now }: Pick<Services, 'sealer'> & { now: Date },
  kind: Kind,
  planned: readonly Planned[],
): Promise<void> {
  const keys = planned.flatMap(({ id, key }) =>
    key === undefined ? [] : { id, sealedKey: sealer.seal(key, deviceKeyContext(id)) },
  )
  if (keys.length > 0) await setSealedKeys(tx, keys)
  const missing = planned.filter(({ difference }) => difference === 'only_here')
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id)
    await markPending(tx, kind, ids)
  }
  // Of several where they go through the operator's account.
  for (const organizationId of new Set(planned.map(({ organization_id }) => organization_id))) {
    const calls = planned.flatMap((target) =>
      target.organization_id === organizationId ? toCalls(target) : [],
    )
    await enqueueAll(tx, organizationId, calls, now)
  }
}

function toCalls({ difference, kind, id, eui, network, register_method }: Planned): Call[] {
  if (difference === undefined) return []
  const action = difference === 'only_here' ? 'add' : 'rename'
  return [{ kind, id, eui, network, register_method, action }]
}

import type { Queryable } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/sealed-columns.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { CoreServices } from '../core-services.ts'
import { type Call, enqueueAll, findBusy } from '../provisioning/outbox-queries.ts'
import { done, onItsWay, refused } from './adoption.ts'
import type { DifferenceWord, Kind } from './difference.ts'
import type { NetworkKey } from './inspection.ts'
import {
  lockSteady,
  markPending,
  type RepairTarget,
  setSealedKeys,
  takeOverAll,
} from './own-side-queries.ts'
import type { RowResult } from './reconciliation-record.ts'

/** What the network is to be told once more; nothing where only the key is to be known here. */
export interface Repair {
  kind: Kind
  eui: string
  difference: Exclude<DifferenceWord, 'only_at_network'> | undefined
  /** Of a device that was adopted without one. */
  key: string | undefined
}

type Planned = RepairTarget & Repair

/** Puts the calls into the outbox, and gives the result of each, in order. All are of one kind. */
export function repair(
  { db, sealer }: Pick<CoreServices, 'db' | 'sealer'>,
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
  return `The network is told ${repairWords[difference](kind)}.`
}

/** What the network is told. */
const repairWords: Record<NonNullable<Repair['difference']>, (kind: Kind) => string> = {
  only_here: (kind) => `of the ${kind} again`,
  name_differs: (kind) => `the name of the ${kind}`,
  key_differs: (kind) => `the key of the ${kind}`,
  join_eui_differs: (kind) => `the JoinEUI of the ${kind}`,
  incomplete: (kind) => `of the ${kind} again`,
}

/** Those that the network has in part at most: they are registered there once more. */
function isMissing({ difference }: Repair): boolean {
  return difference === 'only_here' || difference === 'incomplete'
}

function findKeyFault({ has_key }: RepairTarget, asked: Repair): string | undefined {
  const { difference, key } = asked
  if (has_key) return key === undefined ? undefined : 'The device has a key already.'
  const isAdded = isMissing(asked) || difference === 'join_eui_differs'
  if (isAdded && key === undefined) {
    return 'The key of the device is not known here. Please send device_key with the row.'
  }
  return undefined
}

async function carryOut(
  tx: Queryable,
  { sealer, now }: Pick<CoreServices, 'sealer'> & { now: Date },
  kind: Kind,
  planned: readonly Planned[],
): Promise<void> {
  const keys = planned.flatMap(({ id, key }) =>
    key === undefined ? [] : { id, sealedKey: sealer.seal(key, sealContext('deviceKey', id)) },
  )
  if (keys.length > 0) await setSealedKeys(tx, keys)
  const missing = planned.filter(isMissing)
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
  // Adding a device that is there gives it its key and its JoinEUI, and completes it.
  const action = difference === 'name_differs' ? 'rename' : 'add'
  return [{ kind, id, eui, network, register_method, action }]
}

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

import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { RecordChange } from '../../../http/endpoint.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import type { CoreServices } from '../../core-services.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { type Call, enqueueAll, findBusy } from '../provisioning/outbox-queries.ts'
import { done, onItsWay, recordDone, refused } from './adoption.ts'
import type { DifferenceWord, Kind } from './difference.ts'
import type { NetworkKey } from './inspection.ts'
import {
  lockSteady,
  markPending,
  type RepairTarget,
  setSealedKeys,
  takeOverAll,
  tellActive,
} from './own-side-queries.ts'
import type { RowResult } from './reconciliation-record.ts'

/** A repair of the network's side; without a difference, it only stores a key here. */
export interface Repair {
  kind: Kind
  eui: string
  difference: Repairable | undefined
  /** For a device that was adopted without a key. */
  key: string | undefined
}

type Repairable = Exclude<DifferenceWord, 'only_at_network' | 'lorawan_differs'>

type Planned = RepairTarget & Repair

/** Puts calls into the outbox and returns the results in order. All repairs are of one kind. */
export function repair(
  { db, sealer }: Pick<CoreServices, 'db' | 'sealer'>,
  { account, now, record }: { account: StoredAccount; now: Date; record: RecordChange },
  kind: Kind,
  repairs: readonly Repair[],
): Promise<RowResult[]> {
  return db.transaction(async (tx) => {
    const euis = repairs.map(({ eui }) => eui)
    const locked = await lockSteady(tx, account, kind, euis)
    // After the lock: of two concurrent repairs, the second sees the calls of the first.
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
    return recordDone(tx, { record }, results)
  })
}

const notHere = 'There is no such device in this account, or it is being changed just now.'

function wordsFor({ kind, difference }: Repair): string {
  if (difference === undefined) return 'The key of the device is known here now.'
  return `The network is told ${repairWords[difference](kind)}.`
}

/** The call that a repair needs. */
const repairWords: Record<Repairable, (kind: Kind) => string> = {
  only_here: (kind) => `of the ${kind} again`,
  name_differs: (kind) => `the name of the ${kind}`,
  key_differs: (kind) => `the key of the ${kind}`,
  join_eui_differs: (kind) => `the JoinEUI of the ${kind}`,
  incomplete: (kind) => `of the ${kind} again`,
}

/** Devices and gateways that the network lacks or has in part: they are added again. */
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
  const keys = planned.flatMap(({ organization_id, id, key }) =>
    key === undefined
      ? []
      : { organization_id, id, sealedKey: sealer.seal(key, sealContext('deviceKey', id)) },
  )
  if (keys.length > 0) await setSealedKeys(tx, keys)
  const missing = planned.filter(isMissing)
  if (missing.length > 0) {
    await markPending(tx, kind, missing)
  }
  // Several organizations, when they go through the operator's account.
  for (const organizationId of new Set(planned.map(({ organization_id }) => organization_id))) {
    const calls = planned.flatMap((target) =>
      target.organization_id === organizationId ? toCalls(target) : [],
    )
    await enqueueAll(tx, organizationId, calls, now)
  }
}

function toCalls({ difference, kind, id, eui, network, register_method }: Planned): Call[] {
  if (difference === undefined) return []
  // Adding a device that the network has sets its key and JoinEUI, and completes it.
  const action = difference === 'name_differs' ? 'rename' : 'add'
  const replaces_key = difference === 'key_differs'
  return [{ kind, id, eui, network, register_method, action, replaces_key }]
}

/** The network's values that a device here takes over. */
export interface TakeOver {
  eui: string
  key: NetworkKey | undefined
  joinEui: string | undefined
  radio: DeviceRadio | undefined
}

/**
 * Records the network's values here, without a call, for devices that both sides have. Returns the
 * results in order. A key that changed here since the comparison stays.
 */
export function takeOver(
  { db, sealer }: Pick<CoreServices, 'db' | 'sealer'>,
  { account, record }: { account: StoredAccount; record: RecordChange },
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
    const active = locked.filter(({ id, is_refused }) => is_refused && changed.has(id))
    for (const [organizationId, own] of Map.groupBy(active, (each) => each.organization_id)) {
      await tellActive(
        tx,
        organizationId,
        own.map(({ id }) => id),
      )
    }
    const results = asked.map(({ eui, key, radio }) => {
      const target = targets.get(eui)
      if (!target || !changed.has(target.id)) return refused(onItsWay)
      if (radio) return done('The device is recorded here as the network has it.')
      return done(`The network's ${key ? 'key' : 'JoinEUI'} is known here now.`)
    })
    return recordDone(tx, { record }, results)
  })
}

function toChange(
  sealer: Sealer,
  { organization_id, id }: RepairTarget,
  { key, joinEui, radio }: TakeOver,
) {
  const seal = (text: string | undefined, what: 'deviceKey' | 'networkKey') =>
    text === undefined ? null : sealer.seal(text, sealContext(what, id)).toString('hex')
  return {
    organization_id,
    id,
    joinEui: joinEui ?? null,
    sealedKey: seal(key?.key, 'deviceKey'),
    radio: radio ?? null,
    sealedNetworkKey: seal(key?.networkKey, 'networkKey'),
    sealedBefore: key?.sealedHere?.toString('hex') ?? null,
  }
}

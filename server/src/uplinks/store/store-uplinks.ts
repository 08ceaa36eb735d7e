import type { Database } from '../../db/connect.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import { needsMemory } from '../../sensors/reassembly.ts'
import { type Arrival, mayNameDevice, type NamedArrival } from './arrival.ts'
import { heardAt } from './batch-changes.ts'
import { runBriefly, waitBriefly } from './counter-queries.ts'
import { quarantine, quarantineUnstorable } from './quarantine.ts'
import { frameOf, type KnownArrival, storeKnown } from './store-known.ts'

/**
 * Stores a batch. Uplinks of known devices get their ordinals and update the state of the devices,
 * in one transaction. The other messages go to the quarantine. A repeated uplink changes nothing,
 * except that a partial one (`isPartial`) adds new gateways. Returns the arrivals whose devices have
 * changed since they were looked up; nothing of them is stored.
 * `onWritten` is called when the uplinks are written and only the commit is missing.
 */
export async function storeUplinks(
  db: Database,
  arrivals: readonly NamedArrival[],
  onWritten = () => {},
): Promise<ReadonlySet<Arrival>> {
  const known: KnownArrival[] = []
  const unknown: Arrival[] = []
  const unstorable: Arrival[] = []
  for (const named of arrivals) {
    const { arrival, device } = named
    if (!device || !mayNameDevice(arrival, device)) unknown.push(arrival)
    else if (!isStorable(arrival.uplink.deduplicationKey)) unstorable.push(arrival)
    else known.push(toKnown(named, device))
  }
  const outdated = new Set<Arrival>()
  const isMixed = new Set(arrivals.map(({ arrival }) => arrival.account.tenantId)).size > 1
  const stored = await Promise.allSettled([
    known.length === 0
      ? undefined
      : db.transaction(async (tx) => {
          if (isMixed) waitBriefly(tx)
          await storeKnown(tx, known, outdated)
          onWritten()
        }),
    runBriefly(db, isMixed && unknown.length > 0, (within) =>
      quarantine(within, unknown, 'unknown_device', 'The device is not registered.'),
    ),
    runBriefly(db, isMixed && unstorable.length > 0, (within) =>
      quarantineUnstorable(within, unstorable, 'The key of the message is too long, or no text.'),
    ),
  ])
  const failed = stored.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return outdated
}

/** In characters; those of all networks are shorter. */
const longestKey = 2000

/** PostgreSQL has no characters for NUL and for halves of surrogate pairs. */
function isStorable(key: string): boolean {
  return key.length <= longestKey && key.isWellFormed() && !key.includes('\u0000')
}

function toKnown({ arrival, arrivedAt, reading }: NamedArrival, device: KnownDevice): KnownArrival {
  const heard = heardAt(arrival.uplink.receivedAt, arrivedAt)
  const isJoined = reading === undefined && needsMemory(frameOf(arrival))
  return { arrival, device, reading, heard, isJoined }
}

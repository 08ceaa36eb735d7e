import type { Database, Queryable } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import { decodeFrame } from '../../sensors/decode.ts'
import { needsMemory } from '../../sensors/reassembly.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { noteUplinks, type TellingUplink } from '../downlinks/ledger.ts'
import { expectReports } from '../downlinks/queue-checks.ts'
import type { KnownDevice } from '../inventory/named-device-queries.ts'
import { noteHeardByNew } from '../provisioning/move-queries.ts'
import { type Arrival, heardByNew, mayNameDevice, type NamedArrival, networkOf } from './arrival.ts'
import { type FrameMemories, heardAt, mergeStatus, openMemories } from './device-state.ts'
import { findStored, uplinkKeyOf } from './key-queries.ts'
import { Outdated } from './outdated.ts'
import { findWithdrawn } from './outdated-queries.ts'
import { keepInQuarantine, writeUplink } from './quarantine.ts'
import type { QuarantineReason } from './quarantine-queries.ts'
import { addReceptions, createTally } from './receptions.ts'
import { countReceptions, type DeviceState, readStates } from './state-queries.ts'
import { toUplinkRow } from './uplink-row.ts'
import * as writer from './writer-queries.ts'

/** A decoded arrival of a known device. */
interface DecodedArrival {
  arrival: Arrival
  device: KnownDevice
  reading: Reading
  /** See `heardAt`. */
  heard: string
  /** Whether it is decoded together with other frames of its device. */
  isJoined: boolean
}

/** What was not stored, and why. */
export type OutdatedArrivals = ReadonlyMap<Arrival, Outdated>

/**
 * Stores a batch. Uplinks of known devices get their ordinals and update the state of the devices,
 * in one transaction. The other messages go to the quarantine. A repeated uplink changes nothing,
 * except that a partial one (`isPartial`) adds new gateways. Returns the arrivals that are outdated.
 */
export async function storeUplinks(
  db: Database,
  arrivals: readonly NamedArrival[],
): Promise<OutdatedArrivals> {
  const known: DecodedArrival[] = []
  const unknown: NamedArrival[] = []
  const unstorable: NamedArrival[] = []
  for (const named of arrivals) {
    const { arrival, device } = named
    if (!device || !mayNameDevice(arrival, device)) unknown.push(named)
    else if (!isStorable(arrival.uplink.deduplicationKey)) unstorable.push(named)
    else known.push(decode(named, device))
  }
  const outdated = new Map<Arrival, Outdated>()
  const stored = await Promise.allSettled([
    known.length > 0 ? db.transaction((tx) => storeKnown(tx, known, outdated)) : undefined,
    quarantineProven(db, unknown, outdated, (unknownArrivals) =>
      quarantine(db, unknownArrivals, 'unknown_device', 'The device is not registered.'),
    ),
    quarantineProven(db, unstorable, outdated, (arrivals) =>
      quarantineUnstorable(db, arrivals, 'The key of the message is too long, or no text.'),
    ),
  ])
  const failed = stored.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return outdated
}

/** Leaves out the arrivals whose senders are no longer proven. */
async function quarantineProven(
  db: Queryable,
  batch: readonly NamedArrival[],
  outdated: Map<Arrival, Outdated>,
  keep: (arrivals: Arrival[]) => Promise<void>,
): Promise<void> {
  for (const { arrival } of await findWithdrawn(db, batch)) {
    outdated.set(arrival, new Outdated('sender'))
  }
  await keep(batch.flatMap(({ arrival }) => (outdated.has(arrival) ? [] : arrival)))
}

/** In characters; those of all networks are shorter. */
const longestKey = 2000

/** PostgreSQL has no characters for NUL and for halves of surrogate pairs. */
function isStorable(key: string): boolean {
  return key.length <= longestKey && key.isWellFormed() && !key.includes('\u0000')
}

function decode(
  { arrival, arrivedAt, reading }: NamedArrival,
  device: KnownDevice,
): DecodedArrival {
  const frame = frameOf(arrival)
  const heard = heardAt(arrival.uplink.receivedAt, arrivedAt)
  const isJoined = reading === undefined && needsMemory(frame)
  return { arrival, device, reading: reading ?? decodeFrame(frame), heard, isJoined }
}

function frameOf({ uplink }: Arrival) {
  return { bytes: uplink.payload, fPort: uplink.fPort }
}

/** Reads in one round trip, after the lock: the results stay true until the commit. */
async function readKnown(tx: Queryable, batch: DecodedArrival[]) {
  const organizations = [...new Set(batch.map(({ device }) => device.organization_id))]
  const joined = batch.filter(({ isJoined }) => isJoined).map(({ device }) => device)
  const keys = batch.map(({ arrival, device }) => uplinkKeyOf(device, arrival.uplink))
  const [counters, states, stored, memories, withdrawn] = await Promise.all([
    writer.lockCounters(tx, organizations),
    readStates(
      tx,
      batch.map(({ device }) => device),
    ),
    findStored(tx, keys),
    openMemories(tx, joined),
    findWithdrawn(tx, batch),
  ])
  return { counters, states, stored, memories, withdrawn: new Set(withdrawn) }
}

async function storeKnown(
  tx: Transaction,
  batch: DecodedArrival[],
  outdated: Map<Arrival, Outdated>,
): Promise<void> {
  const { counters, states, stored, memories, withdrawn } = await readKnown(tx, batch)
  const rows: writer.UplinkRow[] = []
  const tally = createTally()
  const fresh: DecodedArrival[] = []
  const further: DecodedArrival[] = []
  for (const decoded of batch) {
    const { device, arrival } = decoded
    const key = `${device.id} ${arrival.uplink.deduplicationKey}`
    const state = states.get(device.id)
    const counter = counters.get(device.organization_id)
    if (state?.version !== device.version || withdrawn.has(decoded)) {
      outdated.set(arrival, new Outdated(withdrawn.has(decoded) ? 'sender' : 'device'))
      continue
    }
    if (stored.has(key)) {
      if (arrival.uplink.isPartial) further.push(decoded)
      continue
    }
    // Throws, because an uplink that is skipped here would be acknowledged and lost.
    if (!counter) throw new Error(`device ${device.id} has no counter`)
    stored.add(key)
    counter.uplink_count += 1
    state.uplink_count += 1
    const reading = decoded.isJoined ? join(decoded, memories) : decoded.reading
    mergeStatus(state, decoded.heard, reading.status)
    rows.push(toUplinkRow({ ...decoded, reading }, counter.uplink_count, state.uplink_count))
    tally.add(device.organization_id, arrival, decoded.heard)
    fresh.push(decoded)
  }
  // What needs no answer is sent with the COMMIT.
  if (rows.length > 0) writer.insert(tx, rows, changedStates(rows, states), counters)
  memories.save(tx)
  for (const { arrival, device, heard } of await addFurther(tx, further)) {
    tally.add(device.organization_id, arrival, heard)
  }
  countReceptions(tx, tally.rows())
  await noteHeardByNew(tx, fresh.flatMap(heardByNew))
  await noteUplinks(tx, fresh.map(tellingOf))
  const expectant = fresh.filter(({ device }) => states.get(device.id)?.has_held_downlinks)
  await expectReports(
    tx,
    expectant.map(({ arrival, device }) => ({
      id: device.id,
      network: networkOf(arrival, device),
    })),
  )
}

function join({ arrival, ...decoded }: DecodedArrival, memories: FrameMemories): Reading {
  return memories.join({ ...decoded, frame: frameOf(arrival) })
}

/** Adds the gateways that only a further message about an uplink names. Returns what is new. */
async function addFurther(tx: Queryable, further: DecodedArrival[]): Promise<DecodedArrival[]> {
  const news = await addReceptions(
    tx,
    further.map((decoded) => ({
      decoded,
      key: uplinkKeyOf(decoded.device, decoded.arrival.uplink),
      receptions: decoded.arrival.uplink.receptions,
    })),
  )
  return news.map(({ decoded, receptions }) => {
    const { arrival } = decoded
    return { ...decoded, arrival: { ...arrival, uplink: { ...arrival.uplink, receptions } } }
  })
}

function tellingOf({ arrival, device, reading }: DecodedArrival): TellingUplink {
  const { acknowledgement } = reading
  const network = networkOf(arrival, device)
  return {
    organizationId: device.organization_id,
    deviceId: device.id,
    isSendingReported: reportsSending(network),
    network,
    ...(acknowledgement ? { answer: acknowledgement } : {}),
    description: reading.description,
  }
}

function reportsSending(network: string): boolean {
  return findNetwork(network)?.capabilities.reports?.includes('sent') ?? false
}

function changedStates(rows: writer.UplinkRow[], states: Map<number, DeviceState>): DeviceState[] {
  const ids = new Set(rows.map((row) => row.device_id))
  return [...ids].flatMap((id) => states.get(id) ?? [])
}

/** Quarantines messages that no row can hold, with the reason. */
export function quarantineUnstorable(
  db: Queryable,
  arrivals: readonly Arrival[],
  detail: string,
): Promise<void> {
  return quarantine(db, arrivals, 'not_storable', detail)
}

async function quarantine(
  db: Queryable,
  arrivals: readonly Arrival[],
  reason: QuarantineReason,
  detail: string,
): Promise<void> {
  await keepInQuarantine(
    db,
    arrivals.map(({ account, uplink, message }) => ({
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail,
      device_eui: normalizeEui(uplink.devEui),
      deduplication_key: uplink.deduplicationKey,
      message,
      uplink: reason === 'unknown_device' ? writeUplink(uplink) : undefined,
    })),
  )
}

import type { Queryable } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { noteHeardByNew } from '../../features/accounts/provisioning/move-queries.ts'
import { expectReports } from '../../features/downlinks/queue-checks.ts'
import {
  isTelling,
  noteUplinks,
  type TellingUplink,
} from '../../features/downlinks/telling-uplinks.ts'
import {
  noteUndecoded,
  type UndecodedFrame,
} from '../../features/fleet/device-types/decoding-run-queries.ts'
import type { KnownDevice } from '../../features/fleet/inventory/named-device-queries.ts'
import { findNetwork } from '../../networks/index.ts'
import { decodeFrame } from '../../sensors/decode.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { type Arrival, heardByNew, networkOf } from './arrival.ts'
import {
  addReceptions,
  createTally,
  type FrameMemories,
  mergeStatus,
  openMemories,
  toUplinkRow,
} from './batch-changes.ts'
import { findStored, uplinkKeyOf } from './key-queries.ts'
import * as writer from './writer-queries.ts'
import { countReceptions, type DeviceState, readStates } from './writer-queries.ts'

/** An arrival of a known device. */
export interface KnownArrival {
  arrival: Arrival
  device: KnownDevice
  /** Of a device with a codec. */
  reading: Reading | undefined
  /** See `heardAt`. */
  heard: string
  /** Whether it is decoded together with other frames of its device. */
  isJoined: boolean
}

function organizationsOf(batch: readonly KnownArrival[]): number[] {
  return [...new Set(batch.map(({ device }) => device.organization_id))]
}

function decode(known: KnownArrival, memories: FrameMemories): Reading {
  const frame = frameOf(known.arrival)
  const reading = known.reading ?? decodeFrame(frame)
  return known.isJoined ? memories.join({ ...known, frame, reading }) : reading
}

export function frameOf({ uplink }: Arrival) {
  return { bytes: uplink.payload, fPort: uplink.fPort }
}

/** Reads in one round trip, after the lock: the results stay true until the commit. */
async function readKnown(tx: Transaction, batch: readonly KnownArrival[]) {
  const joined = batch.filter(({ isJoined }) => isJoined).map(({ device }) => device)
  const [counters, states, stored, memories] = await Promise.all([
    writer.lockCounters(tx, organizationsOf(batch)),
    readStates(
      tx,
      batch.map(({ device }) => device),
    ),
    findStored(
      tx,
      batch.map(({ arrival, device }) => uplinkKeyOf(device, arrival.uplink)),
    ),
    openMemories(tx, joined),
  ])
  return { counters, states, stored, memories }
}

type Stored = Awaited<ReturnType<typeof readKnown>>

/**
 * Stores uplinks of known devices in a transaction: reads, then writes. `outdated` receives the arrivals
 * whose devices have changed since they were looked up.
 */
export async function storeKnown(
  tx: Transaction,
  batch: readonly KnownArrival[],
  outdated: Set<Arrival>,
): Promise<void> {
  const stored = await readKnown(tx, batch)
  const tally = createTally()
  const { fresh, further } = sortOut(batch, stored, outdated)
  // What needs no answer is sent with the COMMIT.
  const telling = writeFresh(tx, fresh, stored, tally)
  for (const { arrival, device, heard } of await addFurther(tx, further)) {
    tally.add(device.organization_id, arrival, heard)
  }
  countReceptions(tx, tally.rows())
  await noteHeardByNew(tx, fresh.flatMap(heardByNew))
  await noteUplinks(tx, telling)
  const expectant = fresh.filter(({ device }) => stored.states.get(device.id)?.has_held_downlinks)
  await expectReports(
    tx,
    expectant.map(({ arrival, device }) => ({
      id: device.id,
      network: networkOf(arrival, device),
    })),
  )
}

/** The arrivals that are new, and those that may add gateways to a stored uplink. */
function sortOut(
  batch: readonly KnownArrival[],
  { states, stored }: Stored,
  outdated: Set<Arrival>,
) {
  const fresh: KnownArrival[] = []
  const further: KnownArrival[] = []
  for (const known of batch) {
    const { device, arrival } = known
    const key = `${device.id} ${arrival.uplink.deduplicationKey}`
    if (states.get(device.id)?.version !== device.version) outdated.add(arrival)
    else if (!stored.has(key)) {
      stored.add(key)
      fresh.push(known)
    } else if (arrival.uplink.isPartial) further.push(known)
  }
  return { fresh, further }
}

/**
 * Decodes and writes new uplinks, and returns what they tell about downlinks. The rows and readings
 * are gone when it returns: kept until the commit, they would make garbage that is dear to collect.
 */
function writeFresh(
  tx: Transaction,
  fresh: readonly KnownArrival[],
  { counters, states, memories }: Stored,
  tally: ReturnType<typeof createTally>,
): TellingUplink[] {
  const rows: writer.UplinkRow[] = []
  const telling: TellingUplink[] = []
  const undecoded: UndecodedFrame[] = []
  for (const known of fresh) {
    const { device, arrival, heard } = known
    const state = states.get(device.id)
    const counter = counters.get(device.organization_id)
    // Throws, because an uplink that is skipped here would be acknowledged and lost.
    if (!state || !counter) throw new Error(`device ${device.id} has no counter`)
    counter.uplink_count += 1
    state.uplink_count += 1
    const reading = decode(known, memories)
    mergeStatus(state, heard, reading.status)
    const isPlain = known.reading === undefined && !known.isJoined
    const ordinals = { ordinal: counter.uplink_count, deviceOrdinal: state.uplink_count }
    rows.push(toUplinkRow({ arrival, device, reading, isPlain }, ordinals))
    tally.add(device.organization_id, arrival, heard)
    telling.push(tellingOf(known, reading))
    if (reading.isPutOff) undecoded.push(undecodedOf(device, ordinals.ordinal))
  }
  if (rows.length > 0) writer.insert(tx, rows, changedStates(rows, states), counters)
  noteUndecoded(tx, undecoded)
  memories.save(tx)
  return telling.filter(isTelling)
}

/** Adds the gateways that only a further message about an uplink names. Returns what is new. */
async function addFurther(tx: Queryable, further: KnownArrival[]): Promise<KnownArrival[]> {
  const news = await addReceptions(
    tx,
    further.map((known) => ({
      known,
      key: uplinkKeyOf(known.device, known.arrival.uplink),
      receptions: known.arrival.uplink.receptions,
    })),
  )
  return news.map(({ known, receptions }) => {
    const { arrival } = known
    return { ...known, arrival: { ...arrival, uplink: { ...arrival.uplink, receptions } } }
  })
}

function undecodedOf({ organization_id, type_id }: KnownDevice, ordinal: number): UndecodedFrame {
  return { organization_id, type_id, ordinal }
}

function tellingOf(
  { arrival, device }: KnownArrival,
  { acknowledgement, description }: Reading,
): TellingUplink {
  const network = networkOf(arrival, device)
  return {
    organizationId: device.organization_id,
    deviceId: device.id,
    isSendingReported: reportsSending(network),
    network,
    ...(acknowledgement ? { answer: acknowledgement } : {}),
    description,
  }
}

function reportsSending(network: string): boolean {
  return findNetwork(network)?.capabilities.reports?.includes('sent') ?? false
}

function changedStates(rows: writer.UplinkRow[], states: Map<number, DeviceState>): DeviceState[] {
  const ids = new Set(rows.map((row) => row.device_id))
  return [...ids].flatMap((id) => states.get(id) ?? [])
}

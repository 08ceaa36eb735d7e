import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/connect.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { lookUpTogether } from '../../db/look-up-together.ts'
import { outlast } from '../../db/outlast.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { isEui, normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import type { Reading } from '../../sensors/sensor.ts'
import type { TypeDecoder } from '../device-types/type-decoder.ts'
import { findDevices, type KnownDevice, lookUpKeyOf, type NamingAccount } from './named-devices.ts'
import { mayNameDevice, storeUplinks } from './store-uplinks.ts'

/** The network account through which a message came: its devices are the only ones it may name. */
export interface CallbackAccount extends NamingAccount {
  id: number
  /** In place of an account, a gateway of kind `other`: the EUI of the sender itself. */
  gatewayEui?: string
}

/** An uplink on its way to the database, and who vouched for it. */
export interface Arrival {
  account: CallbackAccount
  uplink: Uplink
  /** The message as it was sent, for the quarantine. */
  message: Buffer
  /** Until when it is kept if the database is away, as `performance.now()` tells the time. */
  deadline: number
}

/** An arrival and the device that it names, undefined when nobody registered one. */
export interface NamedArrival {
  arrival: Arrival
  /** By our clock: ISO 8601 in UTC with microseconds. */
  arrivedAt: string
  device: KnownDevice | undefined
  /** Of devices whose type an organization made; the others are decoded with their batch. */
  reading?: Reading
}

/** The queue is full: the sender should repeat the message after some seconds. */
export class QueueFull extends Error {}

export interface IngestQueue {
  /** Resolves when the uplink is committed, as an uplink or to the quarantine. */
  store(arrival: Arrival): Promise<void>
  /** Arrivals that wait, those held back and those being written included. */
  depth(): number
  /** Waits until all that was accepted is written; nothing is accepted after it. */
  close(): Promise<void>
}

export interface IngestLimits {
  /** Arrivals that may wait. Beyond half of it senders are slowed down, beyond all refused. */
  capacity: number
  /** The same for the bytes of their messages. */
  capacityBytes: number
  /** Uplinks in one transaction: 100 to 500 is the knee of rows per second (bench/README.md). */
  batchSize: number
  /** The longest that a message is held back before it goes to the writer, in milliseconds. */
  longestDelay: number
}

export const defaultLimits: IngestLimits = {
  capacity: 20_000,
  capacityBytes: 64 * 1024 * 1024,
  batchSize: 500,
  longestDelay: 1000,
}

interface Waiting extends NamedArrival {
  resolve(): void
  reject(error: unknown): void
}

/**
 * The batch writer: what arrives while one transaction commits goes together into the next, so
 * that one flush of the disk serves all of it, and a lone uplink waits for nobody.
 */
export function createIngestQueue(
  { db, decoder, now }: { db: Database; decoder: TypeDecoder; now(): Date },
  limits: IngestLimits = defaultLimits,
): IngestQueue {
  const waiting: Waiting[] = []
  let accepted = 0
  let acceptedBytes = 0
  let isClosed = false
  let isWriting = false
  const pending = new Set<Promise<void>>()
  // Before the batch is formed: in the writer's own turn nothing else could be written meanwhile.
  const findDevice = lookUpTogether(
    (keys: string[]) => findDevices(db, keys),
    ({ key }) => key,
  )

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await settle(db, waiting.splice(0, limits.batchSize))
    }
    isWriting = false
  }

  /** From 0, empty, to 1, full. */
  const fullness = () => Math.max(accepted / limits.capacity, acceptedBytes / limits.capacityBytes)

  async function write(arrival: Arrival, delay: number): Promise<void> {
    if (delay > 0) await sleep(delay)
    if (isClosed) throw new QueueFull()
    const arrivedAt = isoTimeOf(now())
    const eui = normalizeEui(arrival.uplink.devEui)
    const { deadline } = arrival
    const key = lookUpKeyOf(arrival.account, eui)
    const device = isEui(eui) ? await outlast(deadline, () => findDevice(key)) : undefined
    const named: NamedArrival = { arrival, arrivedAt, device }
    // Before the batch is formed, too: a codec takes its time, and no other uplink may wait for it.
    if (device && isOfCustomType(device) && mayNameDevice(arrival, device)) {
      named.reading = await outlast(deadline, () => decodeByCodec(decoder, arrival, device))
    }
    await new Promise<void>((resolve, reject) => {
      waiting.push({ ...named, resolve, reject })
      if (isWriting) return
      isWriting = true
      // The next turn of the event loop: what came in this one travels in the same batch.
      setImmediate(writeAll)
    })
  }

  return {
    depth: () => accepted,
    async store(arrival) {
      const taken = fullness()
      if (isClosed || taken >= 1) throw new QueueFull()
      // Whoever is held back has a place already: the bound holds for all that is in memory.
      accepted += 1
      acceptedBytes += arrival.message.length
      const written = write(arrival, Math.max(0, taken * 2 - 1) * limits.longestDelay)
      pending.add(written)
      try {
        await written
      } finally {
        pending.delete(written)
        accepted -= 1
        acceptedBytes -= arrival.message.length
      }
    },
    async close() {
      isClosed = true
      await Promise.allSettled(pending)
    },
  }
}

function isOfCustomType({ type_id }: KnownDevice): boolean {
  return type_id >= firstCustomTypeId
}

function decodeByCodec(
  decoder: TypeDecoder,
  { uplink }: Arrival,
  { organization_id, type_id, type_revision }: KnownDevice,
): Promise<Reading> {
  const type = {
    organizationId: organization_id,
    typeId: type_id,
    revision: type_revision ?? 0,
  }
  const frame = { bytes: uplink.payload, fPort: uplink.fPort }
  return decoder.decode(type, frame, uplink.receivedAt)
}

/** Keeps the batch while the database is away; whoever has waited long enough is told so. */
async function settle(db: Database, batch: Waiting[]): Promise<void> {
  let kept = batch
  let isRepeat = false
  const latest = Math.max(...batch.map(({ arrival }) => arrival.deadline))
  try {
    await outlast(latest, async () => {
      if (isRepeat) kept = kept.filter((waiting) => !isOverdue(waiting))
      isRepeat = true
      await storeUplinks(db, kept)
    })
    for (const { resolve } of kept) resolve()
  } catch (error) {
    for (const { reject } of kept) reject(error)
  }
}

/** Refuses an arrival whose time is over. */
function isOverdue({ arrival, reject }: Waiting): boolean {
  if (arrival.deadline > performance.now()) return false
  reject(new DatabaseUnavailable('it did not come back in time'))
  return true
}

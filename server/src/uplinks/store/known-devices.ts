import type { Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import { findShards } from '../../db/distribution/places.ts'
import { outlast } from '../../db/outlast.ts'
import { createRecentlyRead } from '../../db/recently-read.ts'
import { doTogether, lookUpTogether } from '../../db/together.ts'
import type { TypeDecoder } from '../../features/fleet/device-types/type-codec.ts'
import {
  findDevices,
  type KnownDevice,
  lookUpKeyOf,
} from '../../features/fleet/inventory/named-device-queries.ts'
import { isEui, normalizeEui } from '../../lora/eui.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { type Arrival, mayNameDevice, type NamedArrival } from './arrival.ts'

/**
 * The devices of the last uplinks. What is recalled may be outdated: the writer compares the version
 * of the device in the transaction that stores the uplink. So no process has to tell another that a
 * device was changed or deleted.
 */
export interface KnownDevices {
  /** The device that an arrival names, without a look at the database. */
  recall(arrival: Arrival): KnownDevice | undefined
  /** Looks the device up until the deadline, and decodes the frame if its type is the organization's own. */
  name(arrival: Arrival, arrivedAt: string): Promise<NamedArrival>
  forget(arrival: Arrival): void
}

/**
 * At most some 50 MB. With more devices that report in turns, the others are looked up.
 */
const mostKnown = 100_000

export function createKnownDevices(db: Queryable, decoder: TypeDecoder): KnownDevices {
  const known = createRecentlyRead<KnownDevice>(mostKnown)
  const findDevice = createLookUp(db)
  async function find(arrival: Arrival): Promise<KnownDevice | undefined> {
    const eui = euiOf(arrival)
    if (!isEui(eui)) return undefined
    const key = keyOf(arrival, eui)
    const device = await findDevice(arrival, key)
    // The version of a device does not tell that its type has another codec.
    if (device && !isOfCustomType(device)) known.set(key, device)
    else known.forget(key)
    return device
  }

  return {
    recall(arrival) {
      const device = known.get(keyOf(arrival, euiOf(arrival)))
      return device && mayNameDevice(arrival, device) ? device : undefined
    },
    async name(arrival, arrivedAt) {
      const { deadline } = arrival
      const device = await outlast(deadline, () => find(arrival))
      const named: NamedArrival = { arrival, arrivedAt, device }
      // A codec runs before the batch is formed, because it takes time, and no other uplink may wait
      // for it.
      if (device && isOfCustomType(device) && mayNameDevice(arrival, device)) {
        named.reading = await outlast(deadline, () => decodeByCodec(decoder, arrival, device))
      }
      return named
    },
    forget(arrival) {
      known.forget(keyOf(arrival, euiOf(arrival)))
    },
  }
}

type LookUp = (arrival: Arrival, key: string) => Promise<KnownDevice | undefined>

/**
 * Looks up together what is asked at the same time. Where organizations are on several machines, each
 * shard has its own look-ups: a machine that is away holds up nobody else.
 */
function createLookUp(db: Queryable): LookUp {
  const find = (keys: readonly string[]) => findDevices(db, keys)
  const findAny = lookUpTogether(find, ({ key }) => key)
  const findShard = lookUpTogether(
    (organizations) => findShards(db, organizations.map(Number)),
    ({ organization_id }) => String(organization_id),
  )
  const findWithin = doTogether<{ shard: number; key: string }, KnownDevice | undefined>(
    async (asked) => {
      const found = await find(asked.map(({ key }) => key))
      const devices = new Map(found.map((device) => [device.key, device]))
      return asked.map(({ key }) => devices.get(key))
    },
    ({ shard }) => shard,
  )
  const findSpread = async ({ isVendor, organizationId }: Arrival['account'], key: string) => {
    const found = isVendor ? undefined : await findShard(String(organizationId))
    return findWithin({ shard: found?.shard ?? 0, key })
  }
  return async ({ account }, key) => {
    const look = await formFor(db, {
      whole: () => findAny(key),
      spread: () => findSpread(account, key),
    })
    return look()
  }
}

function isOfCustomType({ type_id }: KnownDevice): boolean {
  return type_id >= firstCustomTypeId
}

function euiOf({ uplink }: Arrival): string {
  return normalizeEui(uplink.devEui)
}

function keyOf({ account }: Arrival, eui: string): string {
  return lookUpKeyOf(account, eui)
}

function decodeByCodec(
  decoder: TypeDecoder,
  { uplink }: Arrival,
  { id, organization_id, type_id, type_revision, sealed_variables }: KnownDevice,
): Promise<Reading> {
  const named = {
    organizationId: organization_id,
    typeId: type_id,
    revision: type_revision ?? 0,
    deviceId: id,
    sealedVariables: sealed_variables,
  }
  const frame = { bytes: uplink.payload, fPort: uplink.fPort }
  return decoder.decode(named, frame, uplink.receivedAt)
}

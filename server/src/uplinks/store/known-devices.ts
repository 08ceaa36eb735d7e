import type { Queryable } from '../../db/connect.ts'
import { createRecentlyRead } from '../../db/recently-read.ts'
import { lookUpTogether } from '../../db/together.ts'
import {
  findDevices,
  type KnownDevice,
  lookUpKeyOf,
} from '../../features/fleet/inventory/named-device-queries.ts'
import { isEui, normalizeEui } from '../../lora/eui.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import { type Arrival, mayNameDevice } from './arrival.ts'

/**
 * The devices of the last uplinks. What is recalled may be outdated: the writer compares the version
 * of the device in the transaction that stores the uplink. So no process has to tell another that a
 * device was changed or deleted.
 */
export interface KnownDevices {
  /** The device that an arrival names, without a look at the database. */
  recall(arrival: Arrival): KnownDevice | undefined
  find(arrival: Arrival): Promise<KnownDevice | undefined>
  forget(arrival: Arrival): void
}

/**
 * At most some 50 MB. With more devices that report in turns, the others are looked up.
 */
const mostKnown = 100_000

export function createKnownDevices(db: Queryable): KnownDevices {
  const known = createRecentlyRead<KnownDevice>(mostKnown)
  const findDevice = lookUpTogether(
    (keys: string[]) => findDevices(db, keys),
    ({ key }) => key,
  )
  return {
    recall(arrival) {
      const device = known.get(keyOf(arrival, euiOf(arrival)))
      return device && mayNameDevice(arrival, device) ? device : undefined
    },
    async find(arrival) {
      const eui = euiOf(arrival)
      if (!isEui(eui)) return undefined
      const key = keyOf(arrival, eui)
      const device = await findDevice(key)
      // The version of a device does not tell that its type has another codec.
      if (device && !isOfCustomType(device)) known.set(key, device)
      else known.forget(key)
      return device
    },
    forget(arrival) {
      known.forget(keyOf(arrival, euiOf(arrival)))
    },
  }
}

export function isOfCustomType({ type_id }: KnownDevice): boolean {
  return type_id >= firstCustomTypeId
}

function euiOf({ uplink }: Arrival): string {
  return normalizeEui(uplink.devEui)
}

function keyOf({ account }: Arrival, eui: string): string {
  return lookUpKeyOf(account, eui)
}

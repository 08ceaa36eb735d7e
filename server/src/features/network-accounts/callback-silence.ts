import type { Queryable } from '../../db/connect.ts'
import { type NetworkConnection, NetworkError } from '../../networks/network.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { type CareRow, findLatestDevice } from './care-queries.ts'

export interface Silence {
  account: StoredAccount
  row: Pick<CareRow, 'callbackHeardAt' | 'brokerHeardAt'>
  /** Of the callback. */
  url: string
  now: Date
}

/** Uplinks under way, and clocks that differ. */
const toleranceMilliseconds = 10 * 60 * 1000
const hourMilliseconds = 60 * 60 * 1000

/**
 * Of a callback that is set: what its owner should know when no uplinks come to it although devices
 * are known to be alive, since they are heard by the broker, or by the network. Empty otherwise.
 */
export async function tellSilence(
  db: Queryable,
  connection: NetworkConnection,
  { account, row, url, now }: Silence,
): Promise<string> {
  const heardAt = row.callbackHeardAt ?? 0
  if (heardAt > now.getTime() - hourMilliseconds) return ''
  const brokerHeardAt = row.brokerHeardAt ?? 0
  const isAlive = brokerHeardAt > now.getTime() - hourMilliseconds
  if (isAlive && brokerHeardAt > heardAt + toleranceMilliseconds) {
    return `Uplinks come by MQTT alone: ${url} may be out of the network's reach.`
  }
  const device = await findLatestDevice(db, account.id)
  if (!device) return ''
  const seenAt = await readLastSeen(connection, device.devEui)
  if (!seenAt || seenAt.getTime() < device.heardAt + toleranceMilliseconds) return ''
  const times = [seenAt, new Date(device.heardAt)].map((time) => time.toISOString().slice(0, 16))
  const here = device.isHeard
    ? `its last uplink here is of ${times[1]}Z`
    : `none of its uplinks has come here since it was registered at ${times[1]}Z`
  return `The network has heard the device ${device.devEui} at ${times[0]}Z, and ${here}: can the network reach ${url}?`
}

async function readLastSeen(
  connection: NetworkConnection,
  devEui: string,
): Promise<Date | undefined> {
  try {
    return await connection.readLastSeen?.(devEui)
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

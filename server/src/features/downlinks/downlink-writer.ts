import type { Database, Queryable } from '../../db/connect.ts'
import { doTogether } from '../../db/together.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import {
  type BriefDevice,
  findDevicesTogether,
  type NamedDevice,
} from '../fleet/inventory/device-queries.ts'
import type { NewDownlink } from './downlink-history-queries.ts'
import { findStates } from './downlink-queries.ts'
import type { DownlinkState } from './downlink-states.ts'
import { advance, type Creation, createDownlinks } from './ledger.ts'
import type { DueQueue } from './queue-claim-queries.ts'
import { claimQueues } from './queue-claims.ts'

/** Database access for new downlinks. Combines the calls of one organization. */
export interface DownlinkWriter {
  /** The device that a request names. */
  findDevice(named: NamedDevice): Promise<BriefDevice | undefined>
  write(downlink: WrittenDownlink): Promise<Written>
  /** The state of a downlink. Undefined if the downlink no longer exists. */
  readState(downlink: { organizationId: number; id: number }): Promise<DownlinkState | undefined>
}

export interface WrittenDownlink extends NewDownlink {
  organizationId: number
  /** Set if the device is at no network: the reason why the downlink fails at once. */
  failure?: string
  /** Records in the same transaction who has sent it. */
  record?: (tx: Queryable) => Promise<void>
  /** The caller hands the downlink over itself. Its queue is then claimed too, if it is free. */
  isClaimed?: boolean
}

export interface Written {
  creation: Creation
  /** The claimed queue of the device. Its head is this downlink or an older one. */
  queue?: DueQueue
}

export function createDownlinkWriter(services: ConnectionServices): DownlinkWriter {
  const { db } = services
  return {
    findDevice: findDevicesTogether(db),
    write: doTogether(
      (downlinks) => writeAll(services, downlinks),
      ({ organizationId }) => organizationId,
    ),
    readState: readTogether(db, findStates),
  }
}

function writeAll(
  services: ConnectionServices,
  downlinks: readonly WrittenDownlink[],
): Promise<Written[]> {
  const organizationId = downlinks[0]?.organizationId ?? 0
  const claimed = new Set<number>()
  for (const { failure, deviceId, isClaimed } of downlinks) {
    if (failure === undefined && isClaimed) claimed.add(deviceId)
  }
  return services.db.transaction(async (tx) => {
    // In this order and in one round trip. A queue may be claimed in which a hundred downlinks wait
    // already. Its caller then hands over the oldest of them.
    const [creations, queues] = await Promise.all([
      createDownlinks(tx, organizationId, downlinks, services.now()),
      claimed.size > 0
        ? claimQueues(services, tx, { organizationId, deviceIds: [...claimed] }, claimed.size)
        : [],
    ])
    for (const [index, { failure, deviceId, record }] of downlinks.entries()) {
      const creation = creations[index]
      if (typeof creation !== 'object') continue
      await record?.(tx)
      if (failure === undefined) continue
      const written = { organization_id: organizationId, device_id: deviceId, id: creation.id }
      await advance(tx, written, 'failed', failure)
    }
    const byDevice = new Map(queues.map((queue) => [queue.device_id, queue]))
    return downlinks.map(({ deviceId, isClaimed }, index) => {
      const creation = creations[index] ?? 'device_gone'
      const queue = isClaimed ? byDevice.get(deviceId) : undefined
      if (!queue) return { creation }
      // Only the first downlink of a device gets the queue. Its caller also hands over the others.
      byDevice.delete(deviceId)
      return { creation, queue }
    })
  })
}

function readTogether<Value>(
  db: Database,
  find: (
    db: Database,
    organizationId: number,
    ids: readonly number[],
  ) => Promise<Map<number, Value>>,
) {
  return doTogether(
    async (asked: readonly { organizationId: number; id: number }[]) => {
      const ids = asked.map(({ id }) => id)
      const values = await find(db, asked[0]?.organizationId ?? 0, ids)
      return ids.map((id) => values.get(id))
    },
    ({ organizationId }) => organizationId,
  )
}

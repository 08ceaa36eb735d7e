import type { Database } from '../../db/connect.ts'
import { doTogether } from '../../db/together.ts'
import { findStates } from './downlink-queries.ts'
import type { DownlinkState } from './downlink-states.ts'
import { advance, type Creation, createDownlinks } from './ledger.ts'
import type { NewDownlink } from './new-downlink-queries.ts'

/** Writes new downlinks into the ledger, those of one organization together. */
export interface DownlinkWriter {
  write(downlink: WrittenDownlink): Promise<Creation>
  /** The state of a downlink; undefined when it is gone. */
  readState(downlink: { organizationId: number; id: number }): Promise<DownlinkState | undefined>
}

export interface WrittenDownlink extends NewDownlink {
  organizationId: number
  /** Why it fails at once, for a device that no network has. */
  failure?: string
}

export function createDownlinkWriter({ db, now }: { db: Database; now(): Date }): DownlinkWriter {
  const writeAll = (organizationId: number, downlinks: readonly WrittenDownlink[]) =>
    db.transaction(async (tx) => {
      const created = await createDownlinks(tx, organizationId, downlinks, now())
      for (const [index, { failure, deviceId }] of downlinks.entries()) {
        const creation = created[index]
        if (failure === undefined || typeof creation !== 'object') continue
        const failed = { organization_id: organizationId, device_id: deviceId, id: creation.id }
        await advance(tx, failed, 'failed', failure)
      }
      return created
    })
  return {
    write: doTogether(
      (downlinks) => writeAll(downlinks[0]?.organizationId ?? 0, downlinks),
      ({ organizationId }) => organizationId,
    ),
    readState: doTogether(
      async (asked) => {
        const ids = asked.map(({ id }) => id)
        const states = await findStates(db, asked[0]?.organizationId ?? 0, ids)
        return ids.map((id) => states.get(id))
      },
      ({ organizationId }) => organizationId,
    ),
  }
}

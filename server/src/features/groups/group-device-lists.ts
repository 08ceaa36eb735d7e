import type { Queryable } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import type { Caller } from '../../http/endpoint.ts'
import { type JsonText, jsonText } from '../../http/json-pieces.ts'
import {
  type GroupDevice,
  startOfReportingWindow,
  writeGroupDevices,
} from './group-device-record.ts'
import { type CountedGroup, type GroupedDevice, readDevices } from './grouped-device-queries.ts'

/** The list of devices of each group, in an answer that names the groups in the order of `groups`. */
export interface GroupDeviceLists {
  of(groupId: number): JsonText<GroupDevice[]>
}

/**
 * Lists that are read while the answer is sent, as fast as its reader takes it: the records of a
 * large account take many megabytes, and slow readers would have all of them in memory.
 */
export function listGroupDevices(
  { db, sealer, now }: { db: Queryable; sealer: Sealer; now(): Date },
  caller: Pick<Caller, 'organizationId' | 'permissions'>,
  groups: readonly CountedGroup[],
): GroupDeviceLists {
  const heardSince = startOfReportingWindow(now())
  const portions = readDevices(db, caller.organizationId, heardSince, groups)
  /** Read, and not written yet. */
  let runs: GroupedDevice[][] = []

  async function* write(groupId: number): AsyncGenerator<string> {
    let opening = '['
    for (;;) {
      if (runs.length === 0) runs = runsOf((await portions.next()).value ?? [])
      const [run] = runs
      if (run?.[0]?.group_id !== groupId) break
      runs.shift()
      yield opening + writeGroupDevices(run, sealer, caller)
      opening = ','
    }
    yield opening === '[' ? '[]' : ']'
  }
  return { of: (groupId) => jsonText(write(groupId)) }
}

/** Devices of one group each, in their order. */
function runsOf(portion: GroupedDevice[]): GroupedDevice[][] {
  return [...Map.groupBy(portion, ({ group_id }) => group_id).values()]
}

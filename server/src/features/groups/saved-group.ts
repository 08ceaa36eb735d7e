import type { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import * as groupQueries from './group-queries.ts'
import { type savedGroup, toSavedGroup } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

/** What creating and updating answer about a group, read in the transaction that wrote it. */
export async function readSavedGroup(
  tx: Queryable,
  organizationId: number,
  group: groupQueries.StoredGroup,
): Promise<z.infer<typeof savedGroup>> {
  const way = await groupQueries.listWayUp(tx, organizationId, group.id)
  const devices = await groupedDevices.listNames(tx, organizationId, group.id)
  return toSavedGroup(group, way.length - 1, devices)
}

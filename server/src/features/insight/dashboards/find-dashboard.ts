import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import * as dashboardQueries from './dashboard-queries.ts'
import { dashboardNotFound, readerOf, sourcesOf } from './dashboard-record.ts'
import { findKnown, isWithin, sourceOfVariable } from './source-reach.ts'

/** @throws HttpError 404, also for one that is not for the caller. */
export async function findDashboard(
  db: Queryable,
  caller: Caller,
  wanted: dashboardQueries.Wanted,
): Promise<dashboardQueries.StoredDashboard> {
  const stored = await dashboardQueries.find(db, readerOf(caller), wanted)
  if (!stored) throw dashboardNotFound()
  if (caller.groupId === undefined && caller.tag === undefined) return stored
  const sources = [...sourcesOf(stored), sourceOfVariable(stored.variable)]
  if (!isWithin(sources, await findKnown(db, caller, sources))) throw dashboardNotFound()
  return stored
}

import type { Database, Queryable } from '../../../db/connect.ts'

const day = 24 * 60 * 60 * 1000
const keptDays = 90
/** Then the calls end with which a network is asked to forget a gateway. */
const mostDays = 366
/** Gateways that one transaction deletes. */
const limit = 500

/** Deletes the rows of deleted gateways that their networks have forgotten. Uplinks name gateways by EUI. */
export async function removeGatewayTombstones(db: Database, now: Date): Promise<void> {
  const times = {
    before: new Date(now.getTime() - keptDays * day),
    longBefore: new Date(now.getTime() - mostDays * day),
  }
  const organizations = await db.query<{ organization_id: number }>(
    'select distinct organization_id from gateways where deleted_at < $1',
    [times.before],
  )
  for (const { organization_id: id } of organizations) {
    while ((await db.transaction((tx) => removeSome(tx, id, times))) === limit) {}
  }
}

async function removeSome(
  tx: Queryable,
  organizationId: number,
  { before, longBefore }: { before: Date; longBefore: Date },
): Promise<number> {
  const found = await tx.query<{ id: number }>(
    `select gateways.id from gateways
     where gateways.organization_id = $1 and gateways.deleted_at < $2
       and not exists (
         select from alerts where alerts.organization_id = $1 and alerts.gateway_id = gateways.id
       )
       and (gateways.deleted_at < $3 or not exists (
         select from provisioning
         where provisioning.organization_id = $1 and provisioning.gateway_id = gateways.id
       ))
     order by gateways.id
     limit $4
     for update of gateways`,
    [organizationId, before, longBefore, limit],
  )
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  for (const statement of removals) await tx.query(statement, [organizationId, ids])
  return found.length
}

const removals = [
  'update devices set gateway_id = null where organization_id = $1 and gateway_id = any($2)',
  'delete from provisioning where organization_id = $1 and gateway_id = any($2)',
  'delete from gateway_hours where organization_id = $1 and gateway_id = any($2)',
  'delete from gateway_states where organization_id = $1 and gateway_id = any($2)',
  'delete from gateways where organization_id = $1 and id = any($2)',
]

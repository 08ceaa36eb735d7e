import type { Queryable } from '../../../db/connect.ts'
import type { Page } from '../../../http/pages.ts'
import { lockTenant } from '../organizations/invitation-queries.ts'

/** What a deletion does now, in this order. */
export const deletionStates = ['removing', 'telling', 'leaving', 'deleting', 'done'] as const
export type DeletionState = (typeof deletionStates)[number]

export interface Deletion {
  id: number
  organization_id: number
  name: string
  requested_by: string | null
  state: DeletionState
  organizations: number
  devices: number
  uplinks: number
  organizations_left: number
  devices_left: number
  uplinks_left: number
  left_at_networks: number
  created_at: string
  finished_at: string | null
}

const columns = `deletions.id, deletions.organization_id, deletions.name,
  users.email as requested_by, deletions.state, deletions.organizations, deletions.devices,
  deletions.uplinks, deletions.organizations_left, deletions.devices_left, deletions.uplinks_left,
  deletions.left_at_networks, deletions.created_at, deletions.finished_at`

const tables = 'organization_deletions as deletions left join users on users.id = deletions.user_id'

interface Stored {
  organizations: number
  devices: number
  uplinks: number
}

/** What is stored of organizations. The counters may be on other machines (docs/scaling.md). */
async function countStored(db: Queryable, organizationIds: readonly number[]): Promise<Stored> {
  const [known] = await db.query<Omit<Stored, 'uplinks'>>(
    `select count(*) as organizations, coalesce(sum(device_count), 0)::bigint as devices
     from organizations where id = any($1)`,
    [organizationIds],
  )
  const [counted] = await db.query<Pick<Stored, 'uplinks'>>(
    `select coalesce(sum(uplink_count - first_ordinal + 1), 0)::bigint as uplinks
     from organization_counters where organization_id = any($1)`,
    [organizationIds],
  )
  return { organizations: 0, devices: 0, uplinks: 0, ...known, ...counted }
}

/**
 * Begins to delete an organization with all that is below it. From the commit on nothing is accepted for
 * them: memberships, API keys, invitations and the secrets of callbacks are gone.
 *
 * @param userId who asks; null for the command.
 * @returns the id of the deletion; that of the earlier one where it is being deleted already.
 */
export async function begin(
  tx: Queryable,
  organizationId: number,
  { userId, now }: { userId: number | null; now: Date },
): Promise<number | undefined> {
  // Nobody adds an organization below it meanwhile.
  await lockTenant(tx, organizationId)
  const [found] = await tx.query<{ deletion_id: number | null }>(
    'select deletion_id from organizations where id = $1 for update',
    [organizationId],
  )
  if (!found || found.deletion_id !== null) return found?.deletion_id ?? undefined
  const rows = await tx.query<{ id: number }>(
    `with recursive doomed as (
       select id from organizations where id = $1
       union all
       select below.id from doomed
       join organizations as below on below.parent_org_id = doomed.id
       where below.deletion_id is null
     )
     select id from doomed`,
    [organizationId],
  )
  const doomed = rows.map(({ id }) => id)
  const { organizations, devices, uplinks } = await countStored(tx, doomed)
  const [begun] = await tx.query<{ id: number }>(
    `insert into organization_deletions (
       organization_id, parent_org_id, name, user_id, state, organizations, devices, uplinks,
       organizations_left, devices_left, uplinks_left, created_at
     )
     select id, parent_org_id, name, $2, 'removing', $4::bigint, $5::bigint, $6::bigint, $4, $5, $6, $3
     from organizations where id = $1
     returning id`,
    [organizationId, userId, now, organizations, devices, uplinks],
  )
  if (!begun) throw new Error('The deletion was not inserted.')
  await tx.query('update organizations set deletion_id = $2 where id = any($1)', [doomed, begun.id])
  for (const statement of closing) await tx.query(statement, [doomed])
  return begun.id
}

/** Each for several organizations, at once. */
const closing = [
  'delete from members where organization_id = any($1)',
  'delete from api_keys where organization_id = any($1)',
  'delete from invitations where organization_id = any($1)',
  // Messages in the queue, too, are proven by secrets of before, and are refused where they are stored.
  `update network_accounts set callback_hash = sha256(gen_random_uuid()::text::bytea),
     former_callbacks = '[]', updated_at = clock_timestamp()
   where organization_id = any($1)`,
  `update webhooks set state = 'disabled' where organization_id = any($1)`,
  'update alert_rules set is_active = false where organization_id = any($1)',
  `update jobs set state = 'cancelled', finished_at = clock_timestamp()
   where organization_id = any($1) and state in ('receiving', 'queued', 'running')`,
]

/** A page of the deletions of organizations that were directly below this one, newest first. */
export async function listPage(
  db: Queryable,
  organizationId: number,
  page: Page,
): Promise<{ total: number; deletions: Deletion[] }> {
  const [count] = await db.query<{ total: number }>(
    'select count(*) as total from organization_deletions where parent_org_id = $1',
    [organizationId],
  )
  const deletions = await db.query<Deletion>(
    `select ${columns} from ${tables} where deletions.parent_org_id = $1
     order by deletions.id desc limit $2 offset $3`,
    [organizationId, page.size, (page.number - 1) * page.size],
  )
  return { total: count?.total ?? 0, deletions }
}

export async function find(db: Queryable, id: number): Promise<Deletion | undefined> {
  const [deletion] = await db.query<Deletion>(
    `select ${columns} from ${tables} where deletions.id = $1`,
    [id],
  )
  return deletion
}

/** Those that are not over, oldest first. */
export async function listOpen(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select id from organization_deletions where state <> 'done' order by id`,
  )
  return rows.map(({ id }) => id)
}

export interface OpenDeletion {
  id: number
  state: DeletionState
  place: number
  /** The time in which networks are told is over. */
  is_late: boolean
}

/** Locks a deletion that is not over; undefined where another process works on it. */
export async function lock(
  tx: Queryable,
  id: number,
  now: Date,
): Promise<OpenDeletion | undefined> {
  const [deletion] = await tx.query<OpenDeletion>(
    `select id, state, place, coalesce(told_until <= $2, false) as is_late
     from organization_deletions
     where id = $1 and state <> 'done' for update skip locked`,
    [id, now],
  )
  return deletion
}

export async function setPlace(tx: Queryable, id: number, place: number): Promise<void> {
  await tx.query('update organization_deletions set place = $2 where id = $1', [id, place])
}

export async function setState(
  tx: Queryable,
  id: number,
  state: DeletionState,
  more: { toldUntil?: Date; finishedAt?: Date } = {},
): Promise<void> {
  await tx.query(
    `update organization_deletions set state = $2, told_until = coalesce($3, told_until),
       finished_at = $4 where id = $1`,
    [id, state, more.toldUntil, more.finishedAt],
  )
}

/** Notes how much is left, for those who look. */
export async function noteLeft(db: Queryable, id: number): Promise<void> {
  const rows = await db.query<{ id: number }>(
    'select id from organizations where deletion_id = $1',
    [id],
  )
  const left = await countStored(
    db,
    rows.map((row) => row.id),
  )
  await db.query(
    `update organization_deletions
     set organizations_left = $2, devices_left = $3, uplinks_left = $4 where id = $1`,
    [id, left.organizations, left.devices, left.uplinks],
  )
}

export async function removeOld(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from organization_deletions where finished_at < $1', [before])
}

/** Keeps the report of a deletion for a year after its end. */
export async function removeOldDeletions(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from organization_deletions
     where state = 'done' and finished_at < $1::timestamptz - interval '366 days'`,
    [now],
  )
}

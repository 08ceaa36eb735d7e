import type { Queryable } from '../../../db/connect.ts'
import { living } from '../../../db/presence.ts'
import { queueForWebhooks } from '../../outgoing/events/webhook-event-queries.ts'
import { type AuditLine, type ChainRow, canonicalForm } from './chain-record.ts'

const queued = queueForWebhooks(
  'audit',
  `select $1::bigint as organization_id, 0 as device_id,
     jsonb_build_object('record', given.line::jsonb) as data
   from unnest($2::text[]) with ordinality as given (line, place)
   order by given.place`,
)

/** Queues records for the webhooks that want them, in the transaction that chains them. */
export async function queueRecords(
  tx: Queryable,
  organizationId: number,
  lines: readonly AuditLine[],
): Promise<void> {
  // Most organizations have none: their records are not sent to the database once more.
  const wanting = await tx.query(
    `select 1 from webhooks where organization_id = $1 and events @> array['audit'] limit 1`,
    [organizationId],
  )
  if (wanting.length > 0) await tx.query(queued, [organizationId, lines.map(canonicalForm)])
}

/** A chain whose records only this process reports until it settles. */
export interface ClaimedChain {
  organization_id: number
  told_position: number
}

/** Longer than telling a portion takes: a live process never loses its claim. */
const claimSeconds = 60

/** Claims the chain with untold records whose last turn is longest ago. */
export async function claimUntold(
  db: Queryable,
  processId: string | null,
): Promise<ClaimedChain | undefined> {
  const [row] = await db.query<ClaimedChain>(
    `update activity_chains
     set told_turn_at = clock_timestamp(), told_by = $1,
       told_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
     where organization_id = (
       select organization_id from activity_chains
       where position > greatest(told_position, removed_position)
         and (told_until is null or told_until < clock_timestamp()
           or (told_by is not null and told_by::text not in ${living}))
       order by told_turn_at nulls first, organization_id
       limit 1
       for update skip locked
     )
     returning organization_id, told_position`,
    [processId],
  )
  return row
}

/** Ends the claim, with what is told now. */
export async function settleTold(
  db: Queryable,
  { organization_id, told_position }: ClaimedChain,
): Promise<void> {
  await db.query(
    `update activity_chains
     set told_position = greatest(told_position, $2), told_by = null, told_until = null
     where organization_id = $1`,
    [organization_id, told_position],
  )
}

/** The chain of an organization, as it is stored. */
export interface StoredChain {
  organization_id: number
  position: number
  removed_position: number
  sealed_head: Buffer
}

const columns = 'organization_id, position, removed_position, sealed_head'

/** The next organization behind `after` with activities that are not chained yet: one index probe. */
export async function findUnchained(db: Queryable, after: number): Promise<number | undefined> {
  const [row] = await db.query<{ organization_id: number }>(
    `select organization_id from activities
     where position is null and organization_id > $1
     order by organization_id
     limit 1`,
    [after],
  )
  return row?.organization_id
}

export async function findChain(
  db: Queryable,
  organizationId: number,
): Promise<StoredChain | undefined> {
  const [row] = await db.query<StoredChain>(
    `select ${columns} from activity_chains where organization_id = $1`,
    [organizationId],
  )
  return row
}

/** Organizations that have a chain, in order of their ids. */
export async function listChained(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    'select organization_id from activity_chains order by organization_id',
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** Locks the chain until the end of the transaction; undefined while another process has it. */
export async function lockChain(
  tx: Queryable,
  organizationId: number,
): Promise<StoredChain | undefined> {
  const [row] = await tx.query<StoredChain>(
    `select ${columns} from activity_chains where organization_id = $1 for update skip locked`,
    [organizationId],
  )
  return row
}

/** Does nothing where there is a chain already. */
export async function insertChain(db: Queryable, chain: StoredChain): Promise<void> {
  await db.query(
    `insert into activity_chains (${columns}) values ($1, $2, $3, $4)
     on conflict (organization_id) do nothing`,
    [chain.organization_id, chain.position, chain.removed_position, chain.sealed_head],
  )
}

export async function updateChain(tx: Queryable, chain: StoredChain): Promise<void> {
  await tx.query(
    `update activity_chains set position = $2, removed_position = $3, sealed_head = $4
     where organization_id = $1`,
    [chain.organization_id, chain.position, chain.removed_position, chain.sealed_head],
  )
}

const recordColumns = `activities.id, activities.happened_at, activities.user_id,
  activities.key_id, activities.key_name, activities.address, activities.operation,
  activities.status, activities.kind, activities.action, activities.subject, activities.name,
  activities.count, activities.fields`

/** The oldest activities without a position, with the e-mails of now. */
export function listUnchained(
  tx: Queryable,
  organizationId: number,
  limit: number,
): Promise<Omit<ChainRow, 'position'>[]> {
  return tx.query(
    `select ${recordColumns}, users.email as user_email
     from activities
     join users on users.id = activities.user_id
     where activities.organization_id = $1 and activities.position is null
     order by activities.id
     limit $2`,
    [organizationId, limit],
  )
}

/** What chaining adds to a row. */
export interface Chained {
  id: number
  position: number
  hash: string
  user_email: string | null
}

export async function storeChained(
  tx: Queryable,
  organizationId: number,
  chained: readonly Chained[],
): Promise<void> {
  await tx.query(
    `update activities
     set position = given.position, hash = decode(given.hash, 'hex'), user_email = given.email
     from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[])
       as given (id, position, hash, email)
     where activities.organization_id = $1 and activities.id = given.id`,
    [
      organizationId,
      chained.map(({ id }) => id),
      chained.map(({ position }) => position),
      chained.map(({ hash }) => hash),
      chained.map(({ user_email }) => user_email),
    ],
  )
}

/** Records of the chain behind a position, with their hashes as 64 hexadecimal digits. */
export function listRecords(
  db: Queryable,
  organizationId: number,
  { after, limit }: { after: number; limit: number },
): Promise<(ChainRow & { hash: string })[]> {
  return db.query(
    `select ${recordColumns}, activities.user_email, activities.position,
       encode(activities.hash, 'hex') as hash
     from activities
     where activities.organization_id = $1 and activities.position > $2
     order by activities.position
     limit $3`,
    [organizationId, after, limit],
  )
}

/** The hash of one record; undefined where there is none. */
export async function findHash(
  db: Queryable,
  organizationId: number,
  position: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from activities
     where organization_id = $1 and position = $2`,
    [organizationId, position],
  )
  return row?.hash
}

/** A position behind the chain's own, which only a forger can have written. One statement: one moment. */
export async function findBeyond(
  db: Queryable,
  organizationId: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ position: number }>(
    `select position from activities
     where organization_id = $1 and position > (
       select position from activity_chains where organization_id = $1
     )
     order by position
     limit 1`,
    [organizationId],
  )
  return row?.position
}

export async function countUnchained(db: Queryable, organizationId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) from activities where organization_id = $1 and position is null',
    [organizationId],
  )
  return row?.count ?? 0
}

/** Organizations with activities from before a time, or with more than `most`. */
export async function listWithOld(
  db: Queryable,
  { before, most }: { before: Date; most: number },
): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select organization_id from activities where happened_at < $1
     union
     select organization_id from activity_chains where position - removed_position > $2`,
    [before, most],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** The last position, up to `upTo`, whose activity is from before a time. */
export async function findLastBefore(
  db: Queryable,
  organizationId: number,
  { before, upTo }: { before: Date; upTo: number },
): Promise<number> {
  const [row] = await db.query<{ position: number | null }>(
    `select max(position) as position from activities
     where organization_id = $1 and happened_at < $2 and position <= $3`,
    [organizationId, before, upTo],
  )
  return row?.position ?? 0
}

export async function removeUpTo(
  tx: Queryable,
  organizationId: number,
  position: number,
): Promise<void> {
  await tx.query('delete from activities where organization_id = $1 and position <= $2', [
    organizationId,
    position,
  ])
}

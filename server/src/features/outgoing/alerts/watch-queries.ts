import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '../../../db/connect.ts'
import { living, type Presence } from '../../../db/presence.ts'
import type { Transaction } from '../../../db/transaction.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { readingKinds } from './alert-kinds.ts'

/** An organization whose rules have something to look at. */
export interface DueWatch {
  organization_id: number
  tenant_id: number
}

/** The rules of an organization, looked after only by this process until it settles. */
export interface ClaimedWatch {
  organization_id: number
  claim: string
  uplink_ordinal: number
  uplink_count: number
  reads_uplinks: boolean
  next_look_at: Moment
  next_tell_at: Moment | null
}

/** Longer than the longest look: a live process never loses its claim. */
const claimSeconds = 120

const isDue = (now: string) => `(watches.next_look_at <= ${now} or watches.next_tell_at <= ${now}
    or watches.reads_uplinks and counter.uplink_count > watches.uplink_ordinal)
  and (watches.claimed_until is null or watches.claimed_until < statement_timestamp()
    or (watches.claimed_by is not null and watches.claimed_by::text not in ${living}))`

/**
 * A row for each organization that has rules, and one of its counters: no look at uplinks. First comes
 * the one whose last turn is longest ago: those of a tenant take turns too.
 */
export function listDue(db: Queryable, now: Date): Promise<DueWatch[]> {
  return db.query<DueWatch>(
    // The tenants apart, since watches may be on other machines (docs/scaling.md).
    `with due as materialized (
       select watches.organization_id, watches.turn_at
       from alert_watches as watches
       join organization_counters as counter on counter.organization_id = watches.organization_id
       where ${isDue('$1')}
     )
     select due.organization_id, organizations.tenant_id
     from due
     join organizations on organizations.id = due.organization_id
     order by due.turn_at, due.organization_id`,
    [now],
  )
}

/** New uplinks of an organization, and the version of its watch: any change of a rule makes another. */
export interface ReadingWatch {
  organization_id: number
  after: number
  up_to: number
  version: string
}

/** Organizations of one pass, and uplinks of each: one with more has a turn of its own. */
const mostPassed = 250
const mostOfEach = 200

/** Organizations that have only some new uplinks to be looked through. */
export function listReading(db: Queryable, now: Date): Promise<ReadingWatch[]> {
  return db.query<ReadingWatch>(
    `select watches.organization_id, watches.uplink_ordinal as after, counter.uplink_count as up_to,
       watches.xmin::text as version
     from alert_watches as watches
     join organization_counters as counter on counter.organization_id = watches.organization_id
     where watches.reads_uplinks and watches.claim is null and watches.next_look_at > $1
       and (watches.next_tell_at is null or watches.next_tell_at > $1)
       and counter.uplink_count > watches.uplink_ordinal
       and counter.uplink_count <= watches.uplink_ordinal + ${mostOfEach}
     order by watches.turn_at, watches.organization_id
     limit ${mostPassed}`,
    [now],
  )
}

/** Moves cursors on, of watches that nothing has changed since. */
export async function moveCursors(db: Queryable, watches: readonly ReadingWatch[]): Promise<void> {
  await db.query(
    // Locked in one order: another process may pass the same ones.
    `with given as materialized (
       select * from unnest($1::bigint[], $2::bigint[], $3::text[])
         as given (organization_id, up_to, version)
     ), held as materialized (
       select watches.organization_id from alert_watches as watches
       join given on given.organization_id = watches.organization_id
         and given.version = watches.xmin::text
       order by watches.organization_id
       for update of watches skip locked
     )
     update alert_watches as watches
     set uplink_ordinal = given.up_to, turn_at = statement_timestamp()
     from held join given on given.organization_id = held.organization_id
     where watches.organization_id = held.organization_id`,
    [
      watches.map(({ organization_id }) => organization_id),
      watches.map(({ up_to }) => up_to),
      watches.map(({ version }) => version),
    ],
  )
}

/** Undefined where another process was quicker, or nothing is to be done any more. */
export async function claim(
  db: Queryable,
  organizationId: number,
  { now, presence }: { now: Date; presence: Presence },
): Promise<ClaimedWatch | undefined> {
  const rows = await db.query<ClaimedWatch>(
    `update alert_watches as watches
     set turn_at = statement_timestamp(), claim = $3, claimed_by = $4,
       claimed_until = statement_timestamp() + make_interval(secs => ${claimSeconds})
     from organization_counters as counter
     where watches.organization_id = $1 and counter.organization_id = watches.organization_id
       and ${isDue('$2')}
     returning watches.organization_id, watches.claim, watches.uplink_ordinal,
       watches.reads_uplinks, watches.next_look_at, watches.next_tell_at, counter.uplink_count`,
    [organizationId, now, randomUUID(), presence.id],
  )
  return rows[0]
}

/** The claim was taken away: a rule was changed, or another process took over. */
export class ClaimLost extends Error {}

/**
 * Runs a transaction that commits only while the claim is held, with the cursor where it says. So
 * nothing is found twice, whatever process believes that it is the only one.
 *
 * @throws ClaimLost
 */
export function whileClaimed<T>(
  db: Database,
  watch: ClaimedWatch,
  uplinkOrdinal: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const held = await tx.query(
      `update alert_watches set uplink_ordinal = $3
       where organization_id = $1 and claim = $2
       returning organization_id`,
      [watch.organization_id, watch.claim, uplinkOrdinal],
    )
    if (held.length === 0) throw new ClaimLost()
    return work(tx)
  })
}

/**
 * Waits for a look under way to commit, and holds off the next one until this transaction ends. It
 * comes before the first change of a rule or of many alerts: a look takes its locks in this order too.
 */
export async function lockWatch(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query('select from alert_watches where organization_id = $1 for update', [
    organizationId,
  ])
}

/** Frees the claim; the next look is at `next`, or when a digest is due, if that is earlier. */
export async function settle(db: Queryable, watch: ClaimedWatch, next: Date): Promise<void> {
  await db.query(
    `update alert_watches
     set claim = null, claimed_by = null, claimed_until = null,
       next_look_at = least($3, (
         select min(due_at) from alert_digests
         where alert_digests.organization_id = $1 and alert_digests.written_at is null
       ))
     where organization_id = $1 and claim = $2`,
    [watch.organization_id, watch.claim, next],
  )
}

/** What is told from now on sets the next time anew. */
export async function noteTold(tx: Queryable, { organization_id }: ClaimedWatch): Promise<void> {
  await tx.query('update alert_watches set next_tell_at = null where organization_id = $1', [
    organization_id,
  ])
}

/** Frees the claim without an outcome, after an error. */
export async function release(db: Queryable, watch: ClaimedWatch): Promise<void> {
  await db.query(
    `update alert_watches set claim = null, claimed_by = null, claimed_until = null
     where organization_id = $1 and claim = $2`,
    [watch.organization_id, watch.claim],
  )
}

/**
 * After every change of a rule, in its transaction: the next look is now, with the rules as they
 * are. A look under way with the former ones loses its claim, and with it what it would have written.
 */
export async function lookAnew(tx: Queryable, organizationId: number, now: Date): Promise<void> {
  await tx.query(
    `insert into alert_watches as watches
       (organization_id, uplink_ordinal, reads_uplinks, next_look_at)
     select counter.organization_id, counter.uplink_count, exists (
         select from alert_rules as rules
         where rules.organization_id = $1 and rules.is_active and rules.kind = any($3::text[])
       ), $2
     from organization_counters as counter
     where counter.organization_id = $1
     on conflict (organization_id) do update
     set uplink_ordinal = case when watches.reads_uplinks then watches.uplink_ordinal
         else excluded.uplink_ordinal end,
       reads_uplinks = excluded.reads_uplinks, next_look_at = excluded.next_look_at,
       claim = null, claimed_by = null, claimed_until = null`,
    [organizationId, now, readingKinds],
  )
}

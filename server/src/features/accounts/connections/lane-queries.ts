import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import { living } from '../../../db/presence.ts'
import { isOfSameAccount } from './account-name.ts'
import { pausingFailures } from './pause-queries.ts'

/** The work of one organization through one account, in the order in which it became due. */
export interface Lane {
  network: string
  register_method: string
  organization_id: number
  /** Of the organization's tenant. */
  tenant_id: number
}

/** The start and end of a claim, and the process that makes it (`db/presence.ts`). */
export interface Claiming {
  now: Date
  claimedUntil: Date
  claimedBy: string | null
}

/** Tables whose rows have a lane, a time at which they are due, and the end of a claim. */
const workTables = ['provisioning', 'downlink_queues'] as const
type WorkTable = (typeof workTables)[number]

/** If the calls of an account come this far apart, one task at a time uses all its turns. */
const slowIntervalMs = 500
/** The most calls in progress in a lane at once, from all processes. */
const mostOfLane = 8
/**
 * The same limit for a tenant at an account, while no other tenant has calls there. It
 * matters for the account of the operator, which serves many lanes. All tenants together have less
 * than twice as many. A tenant gets no more than it leaves free, so a new one always finds room.
 */
const mostOfTenant = 32

/**
 * Returns the lanes with due work whose account exists and is not paused. The query steps from lane
 * to lane along one index, so the amount of waiting work does not matter.
 */
export async function listLanes(db: Queryable, table: WorkTable, now: Date): Promise<Lane[]> {
  return db.query<Lane>(await formFor(db, listings[table]), [now])
}

function listing(table: WorkTable): string {
  const key = (alias: string) =>
    `${alias}.network, ${alias}.register_method, ${alias}.organization_id`
  return `with recursive lanes as (
      (select ${key('first')} from ${table} as first
       where first.next_attempt_at is not null
       order by ${key('first')}
       limit 1)
      union all
      select next.*
      from lanes
      cross join lateral (
        select ${key('work')} from ${table} as work
        where (${key('work')}) > (${key('lanes')}) and work.next_attempt_at is not null
        order by ${key('work')}
        limit 1
      ) as next
    )
    select ${key('lanes')}, organizations.tenant_id
    from lanes
    join organizations on organizations.id = lanes.organization_id
    where exists (
        select from network_accounts as accounts
        where ${isOfSameAccount('lanes', 'accounts')}
          and (accounts.paused_until is null or accounts.paused_until <= $1)
      )
      and exists (
        select from ${table} as due
        where (${key('due')}) >= (${key('lanes')}) and (${key('due')}) <= (${key('lanes')})
          and due.next_attempt_at <= $1
          and (due.claimed_until is null or due.claimed_until < $1)
        -- Keeps this a look-up per lane in its index: as a join it may read all work of a network, and
        -- with equal signs all of the table, where one lane has nearly all of it.
        order by ${key('due')}, due.next_attempt_at
        limit 1
      )`
}

/**
 * Returns a statement that lists the lanes of all due rows of a table. Right where there are few
 * rows, or where they are on several machines: then nothing steps through one index of all.
 */
export function listingOfDue(table: string, isDue: string): string {
  return `with due as materialized (
      select distinct network, register_method, organization_id from ${table} where ${isDue}
    )
    select due.network, due.register_method, due.organization_id, organizations.tenant_id
    from due
    join organizations on organizations.id = due.organization_id
    where exists (
      select from network_accounts as accounts
      where ${isOfSameAccount('due', 'accounts')}
        and (accounts.paused_until is null or accounts.paused_until <= $1)
    )`
}

const spreadListing = listingOfDue(
  'downlink_queues',
  'next_attempt_at <= $1 and (claimed_until is null or claimed_until < $1)',
)

const listings = {
  provisioning: { whole: listing('provisioning'), spread: listing('provisioning') },
  downlink_queues: { whole: listing('downlink_queues'), spread: spreadListing },
}

/**
 * Returns two parts for the `with` of a claim. They follow a part named `lane`, which has the key
 * of the lane; `$1` is the present. `busy` joins a row with its organization for each call that is
 * in progress at the account. `account` is the account of the lane; its `version` changes
 * with its values. `room` is the number of further calls that may begin. An account with
 * `pausingFailures` failures in a row, or with a slow pace, gets one call at a time.
 */
export function accountAndRoom(
  table: WorkTable,
  busy = `${table} as busy on ${isOfSameAccount('busy', 'lane')} and busy.claimed_until >= $1`,
): string {
  return `account as materialized (
      select lane.network, lane.register_method, accounts.id, accounts.organization_id,
        accounts.failures, accounts.paused_until, accounts.call_interval_ms, accounts.device_profiles,
        accounts.updated_at as version, accounts.status = 'connected'
          and accounts.status_message = '' and accounts.failures = 0 as is_well
      from lane
      join network_accounts as accounts on ${isOfSameAccount('lane', 'accounts')}
    ), room as materialized (
      select greatest(0, least(
          case when account.failures >= ${pausingFailures}
              or account.call_interval_ms >= ${slowIntervalMs} then 1
            else ${mostOfLane} end
            - count(busy) filter (where busy.organization_id = lane.organization_id),
          ${2 * mostOfTenant} - count(busy)
            - count(busy) filter (where others.tenant_id = own.tenant_id)
        )) as places
      from lane
      cross join account
      join organizations as own on own.id = lane.organization_id
      left join ${busy}
      left join organizations as others on others.id = busy.organization_id
      group by account.failures, account.call_interval_ms
    )`
}

/** A condition for the claim of a lane, to use with `accountAndRoom`. */
export const laneIsOpen = `(select paused_until is null or paused_until <= $1 from account)`

/**
 * The `limit` for the claim of a lane: the free places, but at most `most`, the name of a
 * parameter.
 */
export function placesFor(most: string): string {
  return `least(${most}, (select places from room))`
}

/**
 * The key of each table. All writers lock rows in its order, so that no two wait for each other.
 */
const keys: Record<WorkTable, string> = { provisioning: 'id', downlink_queues: 'device_id' }

/**
 * Makes all waiting work of an account due, after the account was connected or corrected, or its
 * network is back.
 */
export async function makeWorkDue(db: Queryable, accountId: number, now: Date): Promise<void> {
  const [account] = await db.query<Omit<Lane, 'tenant_id'>>(
    'select network, register_method, organization_id from network_accounts where id = $1',
    [accountId],
  )
  if (!account) return
  const { network, register_method } = account
  for (const table of workTables) {
    const organizations =
      register_method === 'vendor'
        ? await listWaiting(db, table, network, now)
        : [account.organization_id]
    for (const organizationId of organizations) {
      await db.query(dueAgain[table], [organizationId, network, register_method, now])
    }
  }
}

const dueAgain = eachTable(
  (table, key) => `with waiting as materialized (
      select ${key} as key from ${table}
      where organization_id = $1 and network = $2 and register_method = $3 and next_attempt_at > $4
      order by ${key}
      for update
    )
    update ${table} set next_attempt_at = $4
    from waiting
    where ${table}.organization_id = $1 and ${table}.${key} = waiting.key`,
)

/** Organizations with work that waits for the operator's account. */
async function listWaiting(
  db: Queryable,
  table: WorkTable,
  network: string,
  now: Date,
): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select distinct organization_id from ${table}
     where network = $1 and register_method = 'vendor' and next_attempt_at > $2`,
    [network, now],
  )
  return rows.map(({ organization_id }) => organization_id)
}

const isDead = `claimed_until is not null and claimed_by::text not in ${living}`

/** Frees the claims of dead processes before these claims expire. */
export async function freeDeadClaims(db: Queryable): Promise<void> {
  for (const table of workTables) {
    const rows = await db.query<{ organization_id: number }>(
      `select distinct organization_id from ${table} where ${isDead}`,
    )
    for (const { organization_id } of rows) await db.query(freeing[table], [organization_id])
  }
}

const freeing = eachTable(
  (table, key) => `update ${table}
    set claimed_until = null${table === 'downlink_queues' ? ', claim = null' : ''}
    where organization_id = $1 and ${key} in (
      select ${key} from ${table}
      where organization_id = $1 and ${isDead}
      order by ${key}
      for update skip locked
    )`,
)

function eachTable(write: (table: WorkTable, key: string) => string): Record<WorkTable, string> {
  return {
    provisioning: write('provisioning', keys.provisioning),
    downlink_queues: write('downlink_queues', keys.downlink_queues),
  }
}

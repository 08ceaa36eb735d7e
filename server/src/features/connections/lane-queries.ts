import type { Queryable } from '../../db/connect.ts'
import { living } from '../../db/presence.ts'
import { isOfSameAccount } from './account-scope.ts'
import { pausingFailures } from './pause-queries.ts'

/** What goes through one account for one organization, in the order in which it became due. */
export interface Lane {
  network: string
  register_method: string
  organization_id: number
  /** Of the organization's tree. */
  root_id: number
}

/** When, until when, and by which process (`db/presence.ts`) work is claimed. */
export interface Claiming {
  now: Date
  claimedUntil: Date
  claimedBy: string | null
}

/** Tables whose rows have a lane, a time at which they are due, and the end of a claim. */
const workTables = ['provisioning', 'downlink_queues'] as const
type WorkTable = (typeof workTables)[number]

/** Of an account whose calls come so far apart, one task at a time takes all turns. */
const slowIntervalMs = 500
/** Calls under way in a lane at once, of all processes. */
const mostOfLane = 8
/**
 * The same for a tree of organizations at the operator's account, which serves many lanes, while no
 * other tree has any. All together have less than twice that, of which a tree has no more than it
 * leaves free: whoever comes anew finds room.
 */
const mostOfTree = 32

/**
 * The lanes in which something is due whose account is there and not paused. It steps from lane to
 * lane along one index, however much waits in each.
 */
export function listLanes(db: Queryable, table: WorkTable, now: Date): Promise<Lane[]> {
  return db.query<Lane>(listings[table], [now])
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
    select ${key('lanes')}, organizations.root_id
    from lanes
    join organizations on organizations.id = lanes.organization_id
    where exists (
        select from network_accounts as accounts
        where ${isOfSameAccount('lanes', 'accounts')}
          and (accounts.paused_until is null or accounts.paused_until <= $1)
      )
      and exists (
        select from ${table} as due
        where due.network = lanes.network and due.register_method = lanes.register_method
          and due.organization_id = lanes.organization_id and due.next_attempt_at <= $1
          and (due.claimed_until is null or due.claimed_until < $1)
        -- Keeps this a look-up per lane: as a join it may read all work of a network.
        offset 0
      )`
}

const listings: Record<WorkTable, string> = {
  provisioning: listing('provisioning'),
  downlink_queues: listing('downlink_queues'),
}

/**
 * Two parts of a claim's `with`, after one named `lane` with its key, `$1` being the present.
 * `account`: what the lane goes through, its `version` changing with its values; `room`: how many
 * more calls may be under way. An account that failed is tried by one.
 */
export function accountAndRoom(table: WorkTable): string {
  return `account as materialized (
      select lane.network, lane.register_method, accounts.id, accounts.organization_id,
        accounts.failures, accounts.paused_until, accounts.call_interval_ms,
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
          ${2 * mostOfTree} - count(busy)
            - count(busy) filter (where others.root_id = own.root_id)
        )) as places
      from lane
      cross join account
      join organizations as own on own.id = lane.organization_id
      left join ${table} as busy on ${isOfSameAccount('busy', 'lane')}
        and busy.claimed_until >= $1
      left join organizations as others on others.id = busy.organization_id
      group by account.failures, account.call_interval_ms
    )`
}

/** Of a lane's claim, beside `accountAndRoom`. */
export const laneIsOpen = `(select paused_until is null or paused_until <= $1 from account)`

/** The same for its `limit`: no more than there is room for, and `most`, a parameter's name. */
export function placesFor(most: string): string {
  return `least(${most}, (select places from room))`
}

/** The key of each table, in whose order its rows are locked: two writers never wait for each other. */
const keys: Record<WorkTable, string> = { provisioning: 'id', downlink_queues: 'device_id' }

/** Makes all work that waits for an account due: it was connected or mended, or its network is back. */
export async function makeWorkDue(db: Queryable, accountId: number, now: Date): Promise<void> {
  for (const table of workTables) {
    await db.query(
      `with waiting as materialized (
         select work.${keys[table]} as key
         from ${table} as work
         join network_accounts as account on ${isOfSameAccount('account', 'work')}
         where account.id = $1 and work.next_attempt_at > $2
         order by work.${keys[table]}
         for update of work
       )
       update ${table} set next_attempt_at = $2
       from waiting
       where ${table}.${keys[table]} = waiting.key`,
      [accountId, now],
    )
  }
}

/** Frees the claims of dead processes before they end by themselves. */
export async function freeDeadClaims(db: Queryable): Promise<void> {
  for (const table of workTables) {
    await db.query(
      `update ${table} set claimed_until = null${table === 'downlink_queues' ? ', claim = null' : ''}
       where ${keys[table]} in (
         select ${keys[table]} from ${table}
         where claimed_until is not null and claimed_by::text not in ${living}
         order by ${keys[table]}
         for update skip locked
       )`,
    )
  }
}

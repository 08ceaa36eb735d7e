import type { Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import type { ClaimedAccount } from '../accounts/connections/connections.ts'
import {
  accountAndRoom,
  type Claiming,
  type Lane,
  laneIsOpen,
  placesFor,
} from '../accounts/connections/lane-queries.ts'
import { columns, type StoredDownlink } from './downlink-queries.ts'
import type { QueueClaim } from './queue-queries.ts'

/**
 * If the queues are distributed over machines (docs/scaling.md), the account of a lane is on
 * another one than they are. So a claim reads it before, and is then about only one machine.
 */

/** For the claim, as one of its values. */
interface OpenAccount {
  network: string
  register_method: string
  id: number
  version: string
  is_well: boolean
}

/** A part of the `with` of a claim: the accounts that its value at this place lists. */
function givenAccounts(place: string): string {
  return `account as materialized (
      select network, register_method, id, version, is_well
      from json_to_recordset(${place}) as given (
        network text, register_method text, id bigint, version timestamptz, is_well boolean
      )
    )`
}

/** The account of a lane, as JSON, and how many calls may begin now. */
async function readAccount(
  db: Queryable,
  lane: Omit<Lane, 'tenant_id'>,
  now: Date,
): Promise<{ accounts: string; places: number }> {
  const { accounts, places } = await readRoom(db, lane, now)
  return { accounts: JSON.stringify(accounts), places }
}

/** The accounts of these devices, as JSON. */
async function readAccountsOf(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
  now: Date,
): Promise<string> {
  const lanes = await db.query<Omit<Lane, 'tenant_id'>>(
    `select distinct network, register_method, organization_id from downlink_queues
     where organization_id = $1 and device_id = any($2::bigint[])`,
    [organizationId, deviceIds],
  )
  const found = await Promise.all(lanes.map((lane) => readRoom(db, lane, now)))
  return JSON.stringify(found.flatMap(({ accounts }) => accounts))
}

async function readRoom(
  db: Queryable,
  { network, register_method, organization_id }: Omit<Lane, 'tenant_id'>,
  now: Date,
): Promise<{ accounts: OpenAccount[]; places: number }> {
  const isShared = register_method === 'vendor'
  const busy = await db.query<{ organization_id: number }>(
    isShared ? busyOfAll : busyOfOne,
    isShared ? [now, network] : [now, network, register_method, organization_id],
  )
  const organizations = busy.map((row) => row.organization_id)
  const rows = await db.query<OpenAccount & { places: number }>(room, [
    now,
    network,
    register_method,
    organization_id,
    organizations,
  ])
  return {
    accounts: rows.map(({ places: _, ...account }) => account),
    places: rows[0]?.places ?? 0,
  }
}

const busyOfOne = `select organization_id from downlink_queues
  where claimed_until >= $1 and network = $2 and register_method = $3 and organization_id = $4`

const busyOfAll = `select organization_id from downlink_queues
  where claimed_until >= $1 and network = $2 and register_method = 'vendor'`

/** Only tables of the coordinator. */
const room = `with lane as materialized (
      select $2::text as network, $3::text as register_method, $4::bigint as organization_id
    ), ${accountAndRoom('downlink_queues', 'unnest($5::bigint[]) as busy (organization_id) on true')}
    select account.network, account.register_method, account.id, account.version, account.is_well,
      case when account.paused_until > $1 then 0 else room.places end as places
    from account
    cross join room`

/** A claimed queue whose head is due, with the EUI and the account for the call. */
export interface DueQueue extends QueueClaim, ClaimedAccount {
  eui: string
  account_id: number
  /** The head as it was before this attempt. Undefined if another transaction took it meanwhile. */
  downlink: StoredDownlink | undefined
}

/** The queues of devices of one organization, for which a request waits. */
export interface AwaitedQueues {
  organizationId: number
  deviceIds: readonly number[]
}

/**
 * Claims queues that are due. For a lane, these are the ones that have been due for longest: as
 * many as its account may take now, at most `most`. Otherwise they are the awaited queues. Skips
 * queues that are claimed or locked, and devices that are not registered at their network yet. The
 * claim counts as an attempt of the head.
 */
export async function claimDue(
  db: Queryable,
  what: Lane | AwaitedQueues,
  { now, claimedUntil, claimedBy }: Claiming,
  most: number,
): Promise<DueQueue[]> {
  const prepare = await formFor(db, {
    whole: async () => prepareWhole(what, most),
    spread: () => prepareSpread(db, what, now, most),
  })
  const [text, values] = await prepare()
  const rows = await db.query<ClaimedRow>(text, [now, claimedUntil, claimedBy, ...values])
  const is_awaited = 'deviceIds' in what
  return rows.map(({ id, was_uncertain, ...row }) => ({
    ...row,
    is_awaited,
    downlink: id === null ? undefined : { ...row, id, is_uncertain: was_uncertain },
  }))
}

type Claim = [text: string, values: unknown[]]

function prepareWhole(what: Lane | AwaitedQueues, most: number): Claim {
  if ('deviceIds' in what) return [deviceClaim, [what.deviceIds, what.organizationId]]
  return [laneClaim, [what.network, what.register_method, what.organization_id, most]]
}

/** The claim of queues that are on another machine than the accounts. */
async function prepareSpread(
  db: Queryable,
  what: Lane | AwaitedQueues,
  now: Date,
  most: number,
): Promise<Claim> {
  if ('deviceIds' in what) {
    const { organizationId, deviceIds } = what
    const accounts = await readAccountsOf(db, organizationId, deviceIds, now)
    return [spreadDeviceClaim, [deviceIds, organizationId, accounts]]
  }
  const { accounts, places } = await readAccount(db, what, now)
  const { network, register_method, organization_id } = what
  const values = [network, register_method, organization_id, Math.min(most, places), accounts]
  return [spreadLaneClaim, values]
}

/** All columns of the downlink are null if there is no head. */
interface ClaimedRow extends Omit<DueQueue, 'downlink' | 'is_awaited'>, Omit<StoredDownlink, 'id'> {
  id: number | null
  was_uncertain: boolean
}

const ofLane = `waiting.network = $4 and waiting.register_method = $5
  and waiting.organization_id = $6`
const ofDevices = 'waiting.organization_id = $5 and waiting.device_id = any($4::bigint[])'

const laneClaim = claimText(
  `lane as materialized (
      select $4::text as network, $5::text as register_method, $6::bigint as organization_id
    ), ${accountAndRoom('downlink_queues')}`,
  `${ofLane} and ${laneIsOpen}`,
  placesFor('$7'),
  '$6',
)
const deviceClaim = claimText(
  `lane as materialized (
      select distinct network, register_method, organization_id from downlink_queues
      where organization_id = $5 and device_id = any($4::bigint[])
    ), ${accountAndRoom('downlink_queues')}`,
  ofDevices,
  'all',
  '$5',
)
const spreadLaneClaim = claimText(givenAccounts('$8'), ofLane, '$7', '$6')
const spreadDeviceClaim = claimText(givenAccounts('$6'), ofDevices, 'all', '$5')

/**
 * `account` is the part of the `with` that has the accounts and the room at them. `$1` is the
 * present time, `$2` the end of the claim, and `$3` the claiming process. If the head
 * was handed over after the statement began, its queue is returned without a head.
 */
function claimText(
  account: string,
  condition: string,
  limit: string,
  organization: string,
): string {
  // A CTE runs once. A subquery could run for each joined row, and claim more queues.
  return `with ${account}, due as materialized (
      select waiting.organization_id, waiting.device_id, devices.eui, account.id as account_id,
        account.version as account_version, account.is_well as is_account_well,
        gen_random_uuid() as claim
      from downlink_queues as waiting
      join devices on devices.organization_id = waiting.organization_id
        and devices.id = waiting.device_id and devices.register_status <> 'pending'
      join account on account.network = waiting.network
        and account.register_method = waiting.register_method
      where ${condition}
        and waiting.next_attempt_at <= $1
        and (waiting.claimed_until is null or waiting.claimed_until < $1)
      order by waiting.next_attempt_at, waiting.device_id
      limit ${limit}
      for update of waiting skip locked
    ), claimed as (
      update downlink_queues as queues
      set claim = due.claim, claimed_until = $2, claimed_by = $3
      from due
      where queues.organization_id = ${organization} and queues.device_id = due.device_id
      returning due.*
    ), heads as materialized (
      select due.organization_id, head.id, head.is_uncertain
      from due
      cross join lateral (
        select id, is_uncertain from downlinks
        where organization_id = ${organization} and device_id = due.device_id
          and state = 'queued'
        order by id
        limit 1
      ) as head
    ), taken as (
      update downlinks set attempts = downlinks.attempts + 1, is_uncertain = true
      from heads
      where downlinks.organization_id = ${organization} and downlinks.id = heads.id
        and downlinks.state = 'queued'
      returning ${columns}, heads.is_uncertain as was_uncertain
    )
    select taken.*, claimed.*
    from claimed
    left join taken on taken.organization_id = claimed.organization_id
      and taken.device_id = claimed.device_id`
}

import type { Queryable } from '../../db/connect.ts'
import { accountAndRoom, type Lane } from '../accounts/connections/lane-queries.ts'

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
export function givenAccounts(place: string): string {
  return `account as materialized (
      select network, register_method, id, version, is_well
      from json_to_recordset(${place}) as given (
        network text, register_method text, id bigint, version timestamptz, is_well boolean
      )
    )`
}

/** The account of a lane, as JSON, and how many calls may begin now. */
export async function readAccount(
  db: Queryable,
  lane: Omit<Lane, 'tenant_id'>,
  now: Date,
): Promise<{ accounts: string; places: number }> {
  const { accounts, places } = await readRoom(db, lane, now)
  return { accounts: JSON.stringify(accounts), places }
}

/** The accounts of these devices, as JSON. */
export async function readAccountsOf(
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

import type { Queryable } from '../server/src/db/connect.ts'
import { insertOrganization } from '../server/src/features/people/organizations/organization-queries.ts'
import { momentOf } from '../server/src/http/timestamps.ts'
import type { Bench } from './bench.ts'
import type { Service } from './service.ts'

/** Where a network delivers the uplinks of the fleet. */
export interface Callback {
  path: string
  headers: Record<string, string>
}

/**
 * Connects a ChirpStack account. Nothing listens at the address of its server: the bench sends the
 * account's uplinks itself, and the service makes no call.
 */
export function connectNetwork(
  service: Service,
  ofOrganization: Record<string, string> = {},
): Promise<Callback> {
  const id = '00000000-0000-4000-8000-000000000000'
  const account = {
    server: 'http://127.0.0.1:9',
    api_key: 'none',
    tenant_id: id,
    application_id: id,
    device_profile_id: id,
  }
  return connectAccount(
    service,
    { network: 'chirpstack', account, suffix: '?event=up' },
    ofOrganization,
  )
}

/** Connects an account of any network. `suffix` is what the network adds to the callback's address. */
export async function connectAccount(
  service: Service,
  { network, account, suffix }: { network: string; account: object; suffix: string },
  ofOrganization: Record<string, string> = {},
): Promise<Callback> {
  const { data } = await service.call<{
    data: { callback: { url: string; header: string; value: string } }
  }>('PUT', `/v1/network-accounts/${network}`, account, ofOrganization)
  const { url, header, value } = data.callback
  const { pathname } = new URL(url)
  return {
    path: suffix === '' || suffix.startsWith('?') ? pathname + suffix : `${pathname}/${suffix}`,
    headers: { 'content-type': 'application/json', [header]: value },
  }
}

/** An organization with its own fleet, so that measures do not affect each other. */
export interface Fleet {
  organizationId: number
  /** The first 8 digits of its EUIs. */
  euiPrefix: string
  /** ChirpStack unless said otherwise. */
  network?: string
}

/** The fleet that sends the uplinks; `deviceEui` makes its EUIs. */
const uplinkFleet: Fleet = { organizationId: 1, euiPrefix: '00aa00be' }

/** Makes an organization for one measure, below another if named, and its request headers. */
export async function makeFleet(
  { db, service }: Pick<Bench, 'db' | 'service'>,
  euiPrefix: string,
  parentId?: number,
): Promise<Fleet & { headers: Record<string, string> }> {
  const { id } = await db.transaction((tx) => {
    const name = `Bench ${euiPrefix}`
    const organization = { name, parentId, ownerUserId: 1 }
    return insertOrganization(tx, organization, momentOf(new Date()))
  })
  await db.query('update organizations set device_limit = 1000000000 where id = $1', [id])
  const headers = { ...service.headers, organization: String(id) }
  return { organizationId: id, euiPrefix, headers }
}

/** Registers devices of the fleet up to `count`, and has the planner know of them. */
export async function registerDevices(
  db: Queryable,
  count: number,
  fleet: Fleet = uplinkFleet,
): Promise<void> {
  await insertDevices(db, count, fleet)
  await analyzeDevices(db)
}

export async function analyzeDevices(db: Queryable): Promise<void> {
  await db.query('analyze devices')
  await db.query('analyze device_states')
}

/**
 * Registers devices of the fleet up to `count` by SQL, without provisioning. By single calls of the
 * API 50,000 devices would take longer than all measures.
 */
export async function insertDevices(
  db: Queryable,
  count: number,
  { organizationId, euiPrefix, network = 'chirpstack' }: Fleet,
): Promise<void> {
  const [before] = await db.query<{ devices: number; user: number }>(
    `select (select count(*) from devices where organization_id = $1) as devices,
       (select min(id) from users) as user`,
    [organizationId],
  )
  const { devices: first, user } = before ?? { devices: 0, user: 1 }
  const numbers = Array.from({ length: Math.max(0, count - first) }, (_, index) => first + index)
  // One after the other, as Citus needs it.
  const added = await db.query<{ id: number }>(
    `insert into devices (
       organization_id, device_eui, join_eui, sealed_key, name, type_id, network,
       register_method, is_console_only, register_status, user_id
     )
     select $1, $2 || lpad(to_hex(number), 8, '0'), '0000000000000000', '',
       'Bench device ' || number, 112, $4, 'user_account', true, 'active', $5
     from unnest($3::bigint[]) as given (number)
     order by number
     returning id`,
    [organizationId, euiPrefix, numbers, network, user],
  )
  await db.query(
    'insert into device_states (organization_id, device_id) select $1, unnest($2::bigint[])',
    [organizationId, added.map(({ id }) => id)],
  )
  await db.query('update organizations set device_count = device_count + $2 where id = $1', [
    organizationId,
    added.length,
  ])
}

/** Registers so many gateways of a fleet that has none. */
export async function registerGateways(
  db: Queryable,
  count: number,
  { organizationId, euiPrefix }: Fleet,
): Promise<void> {
  await db.query(
    `with gateway as (
       insert into gateways (
         organization_id, gateway_eui, name, network, register_method, region, register_status,
         user_id
       )
       select $2, $3 || lpad(to_hex(number), 8, '0'), 'Bench gateway ' || number, 'chirpstack',
         'user_account', 'EU868', 'active', (select min(id) from users)
       from generate_series(0, $1::bigint - 1) as number
       order by number
       returning id, organization_id
     )
     insert into gateway_states (gateway_id, organization_id)
     select id, organization_id from gateway`,
    [count, organizationId, euiPrefix],
  )
  await db.query('analyze gateways')
  await db.query('analyze gateway_states')
}

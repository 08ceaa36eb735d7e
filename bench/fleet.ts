import type { Queryable } from '../server/src/db/connect.ts'
import type { Service } from './service.ts'

/** Where a network delivers the uplinks of the fleet. */
export interface Callback {
  path: string
  headers: Record<string, string>
}

/**
 * Connects a ChirpStack account. Its server is an address where nobody listens: uplinks come from
 * it all the same, and nothing is asked of it.
 */
export async function connectNetwork(service: Service): Promise<Callback> {
  const id = '00000000-0000-4000-8000-000000000000'
  const { data } = await service.call<{
    data: { callback: { url: string; header: string; value: string } }
  }>('PUT', '/v1/network-accounts/chirpstack', {
    server: 'http://127.0.0.1:9',
    api_key: 'none',
    tenant_id: id,
    application_id: id,
    device_profile_id: id,
  })
  const { url, header, value } = data.callback
  return {
    path: `${new URL(url).pathname}?event=up`,
    headers: { 'content-type': 'application/json', [header]: value },
  }
}

/**
 * Registers devices of organization 1 up to `count`, without telling a network. In SQL: through
 * the API, one at a time, 50,000 of them would take longer than all that is measured.
 */
export async function registerDevices(db: Queryable, count: number): Promise<void> {
  await db.query(
    `with device as (
       insert into devices (
         organization_id, device_eui, join_eui, sealed_key, name, type_id, network,
         register_method, is_console_only, register_status, user_id
       )
       select 1, '00aa00be' || lpad(to_hex(number), 8, '0'), '0000000000000000', '',
         'Bench device ' || number, 112, 'chirpstack', 'user_account', true, 'active',
         (select min(id) from users)
       from generate_series((select count(*) from devices), $1::bigint - 1) as number
       order by number
       returning id, organization_id
     )
     insert into device_states (device_id, organization_id)
     select id, organization_id from device`,
    [count],
  )
  await db.query('analyze devices')
  await db.query('analyze device_states')
}

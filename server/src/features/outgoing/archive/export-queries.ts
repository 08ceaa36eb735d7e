import { nextAfter } from '../../../uplinks/rows/by-ordinal.ts'
import type { MemberName } from './archive-format.ts'

/*
 * What is read into an archive, one page of records after the other, by a key above `$2`. The database
 * writes the lines. Each query has the organization as `$1` and the number of records as `$3`.
 */

/** A record of a page. */
export interface ArchivedLine {
  /** As text: an ordinal or an id. */
  key: string
  line: string
  /** Of devices. */
  sealed_key?: Buffer | null
  sealed_network_key?: Buffer | null
  sealed_variables?: Buffer | null
}

const page = (table: string, condition: string, object: string, more = '') => `
  select ${table}.id::text as key, ${object}::text as line ${more}
  from ${table}
  where ${table}.organization_id = $1 and ${table}.id > $2 ${condition}
  order by ${table}.id
  limit $3`

export const exportQueries: Record<MemberName, string> = {
  groups: `
    select device_groups.id::text as key, json_build_object(
      'id', id, 'parent_id', parent_id, 'name', name, 'is_open', is_open, 'address', address
    )::text as line
    from device_groups
    where organization_id = $1 and id > $2
    order by id
    limit $3`,
  device_types: page(
    'device_types',
    '',
    `json_build_object(
      'id', id, 'type_name', type_name, 'part_number', part_number,
      'payload_format', payload_format, 'codec', codec, 'examples', examples,
      'measurements', measurements, 'catalogue', catalogue)`,
  ),
  network_accounts: page(
    'network_accounts',
    '',
    `json_build_object(
      'network', network, 'register_method', register_method, 'account', account_fields)`,
  ),
  gateways: page(
    'gateways',
    'and gateways.deleted_at is null',
    `json_build_object(
      'id', id, 'gateway_eui', gateway_eui, 'name', name, 'network', network,
      'register_method', register_method, 'region', region, 'description', description,
      'latitude', latitude, 'longitude', longitude, 'altitude', altitude,
      'place_source', place_source, 'tags', tags)`,
  ),
  devices: `
    select devices.id::text as key, devices.sealed_key, devices.sealed_network_key,
      devices.sealed_variables, json_build_object(
      'id', devices.id, 'device_id', device_eui, 'join_eui', join_eui, 'name', name,
      'type_id', type_id, 'network', network, 'register_method', register_method,
      'gateway_id', (
        select gateways.id from gateways
        where gateways.organization_id = $1 and gateways.id = devices.gateway_id
          and gateways.deleted_at is null
      ),
      'app_region', app_region, 'frequency_plan', frequency_plan, 'lorawan', radio,
      'device_profile', network_profile, 'extra_notes', extra_notes, 'tags', tags,
      'latitude', latitude, 'longitude', longitude, 'altitude', altitude,
      'place_source', place_source,
      'is_console_only', is_console_only, 'is_active', is_active,
      'groups', coalesce((
        select json_agg(group_id order by group_id) from grouped_devices
        where grouped_devices.organization_id = $1 and grouped_devices.device_id = devices.id
      ), '[]'),
      'created_at', created_at, 'deleted_at', deleted_at, 'last_seen', states.last_seen,
      'status', states.status, 'status_times', states.status_times
    )::text as line
    from devices
    join device_states as states
      on states.organization_id = devices.organization_id and states.device_id = devices.id
    where devices.organization_id = $1 and devices.id > $2
      and (devices.deleted_at is null or states.uplink_count >= states.first_ordinal)
    order by devices.id
    limit $3`,
  dashboards: page(
    'dashboards',
    'and dashboards.deleted_at is null and not dashboards.is_private',
    `json_build_object(
      'id', id, 'name', name, 'description', description, 'variable', variable, 'range', range,
      'widgets', widgets)`,
  ),
  floor_plans: `
    select floor_plans.id::text as key, json_build_object(
      'id', id, 'group_id', group_id, 'name', name,
      'image', translate(encode(image, 'base64'), E'\\n', ''),
      'positions', coalesce((
        select json_agg(json_build_object('device', device_id, 'x', x, 'y', y) order by device_id)
        from plan_positions as positions
        where positions.organization_id = $1 and positions.plan_id = floor_plans.id
      ), '[]'),
      'gateways', coalesce((
        select json_agg(json_build_object('gateway', gateway_id, 'x', x, 'y', y) order by gateway_id)
        from plan_gateways as positions
        where positions.organization_id = $1 and positions.plan_id = floor_plans.id
      ), '[]')
    )::text as line
    from floor_plans
    where organization_id = $1 and id > $2
    order by id
    -- An image has megabytes.
    limit least($3, 1)`,
  device_photos: `
    select photos.id::text as key, json_build_object(
      'id', photos.id, 'device', photos.device_id, 'caption', photos.caption,
      'image', translate(encode(photos.image, 'base64'), E'\\n', ''),
      'thumbnail', translate(encode(photos.thumbnail, 'base64'), E'\\n', ''),
      'created_at', photos.created_at
    )::text as line
    from device_photos as photos
    where photos.organization_id = $1 and photos.id > $2
    order by photos.id
    limit least($3, 1)`,
  notes: page(
    'notes',
    '',
    `json_build_object('id', id, 'device', device_id, 'gateway', gateway_id, 'group', group_id,
      'at', at, 'text', text)`,
  ),
  alert_rules: page(
    'alert_rules',
    'and alert_rules.deleted_at is null',
    `json_build_object('id', id, 'name', name, 'kind', kind, 'severity', severity,
      'settings', settings, 'device', device_id, 'group', group_id, 'type', type_id,
      'network', network, 'tag', tag, 'tells_back', tells_back)`,
  ),
  uplinks: `
    select ordinal::text as key, json_build_object(
      'ordinal', ordinal, 'device', device_id, 'deduplication_key', deduplication_key,
      'event_time', event_time, 'received_at', received_at, 'event_type', uplinks.event_type,
      'sensor_sequence', sensor_sequence, 'decoded_object', decoded_object,
      'decoded_message', decoded_message, 'payload', encode(payload, 'hex'), 'f_port', f_port,
      'f_cnt', f_cnt, 'rssi', rssi, 'snr', snr, 'latitude', latitude, 'longitude', longitude,
      'data_rate', data_rate, 'frequency', frequency, 'receptions', receptions
    )::text as line
    from ${nextAfter('uplinks.*', '$2', '$3')} as uplinks
    order by ordinal`,
}

/** What the manifest says of the organization, and how many uplinks it has: `$1` is its id. */
export const findOrganization = `
  select organizations.name, counter.uplink_count - counter.first_ordinal + 1 as uplinks,
    to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at
  from organizations
  join organization_counters as counter on counter.organization_id = organizations.id
  where organizations.id = $1`

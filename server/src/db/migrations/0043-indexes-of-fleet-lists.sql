-- outside a transaction

-- What a writer changes meanwhile is written by the trigger of 0042. Small batches, since writers wait
-- for them. Citus takes no row locks of a query over its machines.
-- in batches
with portion as (
  select organization_id, device_id from device_states
  where device_id > coalesce($1::bigint, 0)
  order by device_id
  limit 200
), changed as (
  update device_states as states
  set seen_period =
      greatest(extract(epoch from states.last_seen - timestamptz 'epoch')::bigint / 43200, -1),
    battery_volts = case when states.status ->> 'battery' ~ '^\d{1,3}(\.\d{1,3})?V$'
      then rtrim(states.status ->> 'battery', 'V')::double precision end,
    warnings = (states.status ->> 'low_battery' is not distinct from 'Yes')::integer
      + 2 * (states.status ->> 'tamper' is not distinct from 'Yes')::integer
  from portion
  where states.organization_id = portion.organization_id
    and states.device_id = portion.device_id and states.last_seen is not null
)
select max(device_id) from portion having count(*) = 200;

-- The order of last seen, and the devices that are silent.
create index concurrently device_states_seen on device_states (organization_id, seen_period);

-- The order of batteries.
create index concurrently device_states_battery
  on device_states (organization_id, battery_volts, device_id);

-- Low batteries and tampered devices, which are few.
create index concurrently device_states_warned on device_states (organization_id)
  where warnings > 0;

-- The devices that their network does not have yet, or refused.
create index concurrently devices_unregistered on devices (organization_id, register_status)
  where deleted_at is null and register_status <> 'active';

-- Devices that are gone stay members of their groups.
create index concurrently devices_deleted on devices (organization_id, id)
  where deleted_at is not null;

-- Counts the types of a group without reading its devices.
create index concurrently devices_by_type on devices (organization_id, type_id, id)
  where deleted_at is null;
drop index concurrently if exists devices_type;

-- Lists gateways by name.
create index concurrently gateways_name on gateways (organization_id, lower(name), id)
  where deleted_at is null;

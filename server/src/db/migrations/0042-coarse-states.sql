-- What lists and counts of devices look for, in values that seldom change: an index of them leaves
-- most updates of a state in place (docs/decisions/0048-coarse-states.md).
alter table device_states
  -- The half day since 1970 in which the device was heard last; -1: never.
  add column seen_period integer not null default -1,
  add column battery_volts double precision,
  -- 1: its battery is low, 2: it was tampered with, 3: both.
  add column warnings smallint not null default 0;

-- Processes of the previous release do not write them. The trigger goes when none of these lives
-- (db/former-parts.ts). Citus has no triggers: there the next uplink of a device corrects its state.
do $$
begin
  if exists (select from processes where alive_until > clock_timestamp())
    and not exists (select from pg_extension where extname = 'citus')
  then
    create function set_coarse_state() returns trigger language plpgsql as $body$
    begin
      new.seen_period := greatest(extract(epoch from new.last_seen - timestamptz 'epoch')::bigint / 43200, -1);
      new.battery_volts := case when new.status ->> 'battery' ~ '^\d{1,3}(\.\d{1,3})?V$'
        then rtrim(new.status ->> 'battery', 'V')::double precision end;
      new.warnings := (new.status ->> 'low_battery' is not distinct from 'Yes')::integer
        + 2 * (new.status ->> 'tamper' is not distinct from 'Yes')::integer;
      return new;
    end
    $body$;
    create trigger coarse_state before update of last_seen, status on device_states
      for each row execute function set_coarse_state();
  end if;
end
$$;

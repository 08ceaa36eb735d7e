-- Webhooks of organizations: what is sent to their own servers. Uplinks are sent as a cursor per
-- webhook goes through the stored ones, so ingest writes nothing here.

create table webhooks (
  organization_id bigint not null references organizations (id),
  id bigint generated always as identity,
  name text not null,
  url text not null,
  events text[] not null,
  group_id bigint,
  type_id integer,
  network text,
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  -- Why it is disabled.
  state_message text,
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs too until then.
  sealed_former_secret bytea,
  former_until timestamptz,
  -- Uplinks up to this ordinal are delivered, or have a row in webhook_deliveries.
  uplink_ordinal bigint not null,
  -- A replay goes on behind the first, up to the second.
  replay_ordinal bigint,
  replay_until bigint,
  -- Failed attempts since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before, because the receiver fails.
  next_attempt_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
) with (fillfactor = 50);

-- What a cursor cannot find again: uplinks that failed or wait behind one, and all other events.
create table webhook_deliveries (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  kind text not null,
  -- Of an uplink; all other events have data.
  ordinal bigint,
  data jsonb,
  happened_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  first_failed_at timestamptz,
  next_attempt_at timestamptz not null,
  last_failure text,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  check ((ordinal is null) = (data is not null))
);

create unique index webhook_deliveries_ordinal
  on webhook_deliveries (organization_id, webhook_id, ordinal) where ordinal is not null;
create index webhook_deliveries_device
  on webhook_deliveries (organization_id, webhook_id, device_id, id) where state = 'waiting';
create index webhook_deliveries_due
  on webhook_deliveries (organization_id, webhook_id, next_attempt_at) where state = 'waiting';
create index webhook_deliveries_happened
  on webhook_deliveries (organization_id, webhook_id, happened_at);

-- Each attempt, for people who look why nothing comes.
create table webhook_attempts (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  device_id bigint,
  ordinal bigint,
  delivery_id bigint,
  attempted_at timestamptz not null,
  is_delivered boolean not null,
  -- None where the receiver did not answer.
  status integer,
  duration_ms integer not null,
  answer text,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);

create index webhook_attempts_ordinal
  on webhook_attempts (organization_id, ordinal) where ordinal is not null;
create index webhook_attempts_failed
  on webhook_attempts (organization_id, webhook_id, id) where not is_delivered;

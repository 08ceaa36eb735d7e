-- The downlink ledger: what was to be sent to a device, how far it is, and its history.

-- One row for each device that ever had a downlink. Whoever holds its claim is the only one to
-- speak with the network about the device's queue; every change of the device's downlinks locks
-- this row first, so that what a network tells and what is written here come in one order.
create table downlink_queues (
  organization_id bigint not null,
  device_id bigint not null references devices,
  -- When the oldest queued downlink is due to be handed over; null when none is queued.
  next_attempt_at timestamptz,
  -- The claim, and until when its holder is taken to be alive.
  claim uuid,
  claimed_until timestamptz,
  primary key (organization_id, device_id)
) with (fillfactor = 50);

create index downlink_queues_next_attempt on downlink_queues (next_attempt_at)
  where next_attempt_at is not null;

create table downlinks (
  id bigint generated always as identity,
  organization_id bigint not null,
  device_id bigint not null references devices,
  user_id bigint not null references users,
  section text not null check (section in ('sensor', 'general', 'advanced')),
  -- What the payload carries, in units, by the id of the field.
  field_values jsonb not null,
  payload bytea not null check (length(payload) = 8),
  f_port integer not null check (f_port between 1 and 223),
  -- queued: here; handed_over: in the network's queue; sent: on its way to the device; and the ends.
  state text not null default 'queued' check (
    state in ('queued', 'handed_over', 'sent', 'acknowledged', 'rejected', 'failed', 'cancelled')
  ),
  -- The network's own id of the latest hand-over.
  queue_item_id text,
  attempts integer not null default 0,
  -- A hand-over was begun and its outcome never learned: the network may hold the downlink.
  is_uncertain boolean not null default false,
  last_error text,
  created_at timestamptz not null default now(),
  handed_over_at timestamptz,
  sent_at timestamptz,
  closed_at timestamptz,
  primary key (organization_id, id)
);

create index downlinks_open on downlinks (organization_id, device_id, id)
  where state in ('queued', 'handed_over', 'sent');
create index downlinks_queue_item on downlinks (organization_id, device_id, queue_item_id);

-- Rows are added and never changed.
create table downlink_history (
  id bigint generated always as identity,
  organization_id bigint not null,
  device_id bigint not null,
  downlink_id bigint not null,
  event_name text not null check (
    event_name in (
      'event_created', 'event_sent', 'event_acknowledged', 'event_rejected', 'event_failed',
      'event_cancelled'
    )
  ),
  -- Why, in the words of the network or the sensor.
  reason text,
  -- The database's clock: one for all server processes, and in microseconds.
  published_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);

create index downlink_history_device on downlink_history (organization_id, device_id, id);

-- For the events that came before the hand-over that they tell of was written down.
create index network_events_queue_item
  on network_events (organization_id, device_id, (details ->> 'queue_item_id'))
  where details ->> 'queue_item_id' is not null;

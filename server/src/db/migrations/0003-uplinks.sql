-- Uplinks, numbered without gaps within their organization and within their device, so that a
-- list knows its exact total and reads any page as one index range.

create table organization_counters (
  organization_id bigint primary key references organizations,
  -- The number of its uplinks, and so the ordinal of the latest one.
  uplink_count bigint not null default 0,
  -- Messages of devices that nobody registered, and messages that could not be stored.
  quarantine_count bigint not null default 0
) with (fillfactor = 50);

-- No foreign keys: the batch writer takes both ids from rows that it holds, and a check of each
-- would cost a lookup per uplink.
create table uplinks (
  organization_id bigint not null,
  ordinal bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  device_ordinal bigint not null,
  deduplication_key text not null,
  event_time timestamptz not null,
  received_at timestamptz not null default now(),
  event_type text not null,
  sensor_sequence integer[] not null,
  decoded_object jsonb not null,
  decoded_message text not null,
  payload bytea not null,
  f_port integer not null,
  f_cnt bigint not null,
  -- Of the gateway with the best SNR; dBm, dB, degrees.
  rssi integer,
  snr double precision,
  latitude double precision,
  longitude double precision,
  data_rate text,
  frequency bigint,
  gateways jsonb not null,
  primary key (organization_id, ordinal)
);

create unique index uplinks_device on uplinks (organization_id, device_id, device_ordinal);
-- Begins with the device, so that inserts touch one page per device and not the whole index.
create unique index uplinks_deduplication
  on uplinks (organization_id, device_id, deduplication_key);

-- Messages that were received and are kept, but that are nobody's uplink.
create table quarantined_messages (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network_account_id bigint not null,
  reason text not null check (reason in ('unknown_device', 'not_storable')),
  detail text not null,
  device_eui text not null,
  deduplication_key text not null,
  message bytea not null,
  received_at timestamptz not null default now(),
  unique (network_account_id, device_eui, deduplication_key)
);

create index quarantined_messages_received_at on quarantined_messages (received_at);

-- Joins, status and log reports, and what became of downlinks, as the networks tell them.
create table network_events (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network_account_id bigint not null,
  device_id bigint not null,
  kind text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  deduplication_key text not null,
  details jsonb not null,
  unique (network_account_id, device_id, kind, deduplication_key)
);

create index network_events_device on network_events (organization_id, device_id, id);
create index network_events_received_at on network_events (received_at);

-- Devices, what is known of their state, and what the networks must still be told.

create table devices (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- The DevEUI as it was registered, and in the form in which EUIs are compared.
  device_eui text not null,
  eui text not null generated always as (upper(device_eui)) stored,
  join_eui text not null,
  sealed_key bytea not null,
  name text not null,
  type_id integer not null,
  network text not null,
  register_method text not null check (register_method in ('user_account', 'vendor')),
  app_region text,
  frequency_plan text,
  extra_notes text,
  is_console_only boolean not null default false,
  is_active boolean not null default true,
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  commissioned_at timestamptz not null default now(),
  -- A deleted device stays, since its uplinks stay in the account's history.
  deleted_at timestamptz
);

-- A DevEUI exists once in the whole service; a deleted one can be registered again.
create unique index devices_eui on devices (eui) where deleted_at is null;
create index devices_organization on devices (organization_id, id) where deleted_at is null;

-- What every uplink changes, apart from the device so that the often written row is a short one.
create table device_states (
  device_id bigint primary key references devices,
  organization_id bigint not null,
  -- The number of its uplinks, and so the ordinal of the latest one.
  uplink_count bigint not null default 0,
  last_seen timestamptz,
  -- Fields of device_status that are known, and the event time of the frame that told each.
  status jsonb not null default '{}',
  status_times jsonb not null default '{}'
) with (fillfactor = 50);

-- The outbox of registrations: one row for each call that a network must still be made, in the
-- order of ids for one EUI. A row goes when the network has done it or has refused it.
create table provisioning (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  device_id bigint not null references devices,
  eui text not null,
  action text not null check (action in ('add', 'rename', 'remove')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- Until then a server process is making the call; after it the process is taken for dead.
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null default now()
);

create index provisioning_eui on provisioning (network, eui, id);
create index provisioning_next_attempt on provisioning (next_attempt_at);
create index provisioning_device on provisioning (device_id);

-- Gateways, what is heard of them, and their place in the outbox.

create table gateways (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Part of the callback's address of a gateway of kind `other`: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  -- As it was registered, and in the form in which EUIs are compared.
  gateway_eui text not null,
  eui text not null generated always as (upper(gateway_eui)) stored,
  name text not null,
  network text not null,
  -- Which of the organization's own accounts at the network it is registered through.
  register_method text not null check (register_method in ('user_account', 'vendor')),
  ip text,
  region text,
  description text,
  -- What its network asks for beyond that, by the names of POST /gateways.
  settings jsonb not null default '{}',
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  -- Of kind `other` alone: the token it sends, and its SHA-256.
  sealed_token bytea,
  token_hash bytea,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted gateway stays until its network has forgotten it, and for the devices that name it.
  deleted_at timestamptz
);

-- A gateway EUI exists once per organization and network; a deleted one can be registered again.
create unique index gateways_eui on gateways (organization_id, network, eui)
  where deleted_at is null;
create index gateways_organization on gateways (organization_id, id) where deleted_at is null;

-- What every uplink changes, apart from the gateway so that the often written row is a short one.
create table gateway_states (
  gateway_id bigint primary key references gateways,
  organization_id bigint not null,
  uplink_count bigint not null default 0,
  downlink_count bigint not null default 0,
  first_seen timestamptz,
  last_seen timestamptz
) with (fillfactor = 50);

-- The gateway that a device was registered with.
alter table devices add column gateway_id bigint references gateways;

alter table provisioning alter column device_id drop not null;
alter table provisioning add column gateway_id bigint references gateways;
alter table provisioning add constraint provisioning_target
  check (num_nonnulls(device_id, gateway_id) = 1);
create index provisioning_gateway on provisioning (gateway_id) where gateway_id is not null;

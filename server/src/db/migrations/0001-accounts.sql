-- Organizations, the people in them, their logins, and their accounts at the networks.

create table organizations (
  id bigint generated always as identity primary key,
  parent_org_id bigint references organizations,
  name text not null,
  address_line_1 text,
  address_line_2 text,
  logo text,
  owner_user_id bigint,
  timezone_format text not null default 'UTC',
  timezone_id bigint not null default 1,
  country_id bigint,
  trial_ends_at date,
  is_demo_account boolean not null default false,
  -- The quota: device_count is raised before a device is inserted, never beyond device_limit.
  device_limit integer not null default 100000 check (device_limit >= 0),
  device_count integer not null default 0 check (device_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  -- PHC string of argon2id.
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  timezone_format text not null default 'UTC',
  timezone_id bigint not null default 1,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index users_email on users (lower(email));

alter table organizations
  add constraint organizations_owner foreign key (owner_user_id) references users;

create table members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  -- An owner holds every permission, whatever the list says.
  is_owner boolean not null default false,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);

create index members_user on members (user_id);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- SHA-256 of the token; the token itself is kept nowhere.
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  refreshable_until timestamptz not null,
  ended_at timestamptz
);

create index sessions_refreshable_until on sessions (refreshable_until);

-- Failed logins by account and address, so that every server process counts the same ones.
create table login_failures (
  -- A hash: people type passwords where the e-mail belongs.
  subject text primary key,
  -- In the running window, and since the last success.
  failures integer not null,
  consecutive_failures integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz not null
);

create table network_accounts (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  network text not null,
  register_method text not null check (register_method in ('user_account', 'vendor')),
  -- Part of the callback's address: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  account_fields jsonb not null,
  sealed_secrets bytea not null,
  status text not null check (status in ('connected', 'unreachable', 'refused')),
  status_message text not null,
  sealed_callback_secret bytea not null,
  -- SHA-256 of the secret that the network sends, checked on every message.
  callback_hash bytea not null,
  previous_callback_hash bytea,
  previous_callback_until timestamptz,
  -- The server process that follows the account's MQTT broker, and until when.
  subscriber text,
  subscribed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (organization_id, network, register_method)
);

-- The operator has one account at each network.
create unique index network_accounts_vendor on network_accounts (network)
  where register_method = 'vendor';

alter table network_accounts
  -- The client id at the broker comes of it: another broker, user or topic gets another one.
  add column broker_session uuid not null default gen_random_uuid();

update network_accounts set broker_session = uuid;

-- Processes that do background work. What one of them holds is free once it lives no more; of
-- `subscribed_until` of an account only the version before makes use.
create table processes (
  id uuid primary key,
  -- By the clock of the database.
  alive_until timestamptz not null
);

-- Sessions at brokers that nobody follows any more: until it is ended, a broker keeps messages for it.
create table ending_broker_sessions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  network text not null,
  broker_session uuid not null,
  -- The values of the account by which the session was made.
  sealed_values bytea not null,
  -- The process that followed it, which closes its connection first.
  subscriber text,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  tries integer not null default 0
);

create index on ending_broker_sessions (next_try_at);
create index on ending_broker_sessions (organization_id);

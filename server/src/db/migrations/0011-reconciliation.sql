-- What a network has and the service has not, and the other way round.

-- A device that was adopted from its network may come without its key, which is null then.
alter table devices alter column sealed_key drop not null;

alter table network_accounts
  -- When the account is compared with its network next; spread over a day.
  add column next_comparison_at timestamptz not null default now() + random() * interval '1 day';

create index network_accounts_next_comparison on network_accounts (next_comparison_at);

-- The last comparison of an account.
create table reconciliations (
  network_account_id bigint primary key references network_accounts on delete cascade,
  organization_id bigint not null,
  -- Null while none has come to its end.
  compared_at timestamptz,
  -- Why the last attempt did not come to its end; '' when it did.
  failure text not null
);

-- What it found, as far as nothing was done about it since.
create table reconciliation_differences (
  network_account_id bigint not null references network_accounts on delete cascade,
  organization_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  difference text not null
    check (difference in ('only_at_network', 'only_here', 'name_differs')),
  name_here text,
  name_there text,
  -- Only at this network for this account, and registered by somebody else or elsewhere.
  is_taken boolean not null,
  primary key (network_account_id, eui, kind)
);

-- Differences that the account's owner knows of and leaves as they are.
create table reconciliation_ignores (
  network_account_id bigint not null references network_accounts on delete cascade,
  organization_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  primary key (network_account_id, eui, kind)
);

alter table quarantined_messages
  -- Of an unknown device: its uplink as it was read, as JSON, by which it can be stored later.
  add column uplink text,
  -- The device is known now, and the uplink is to be stored.
  add column is_released boolean not null default false;

create index quarantined_messages_released on quarantined_messages (id) where is_released;

-- What is set up at the networks for the callbacks is looked after.
alter table network_accounts
  -- When the network is asked next what became of it, and when it was asked last.
  add column next_callback_check_at timestamptz not null default now(),
  add column callback_checked_at timestamptz,
  -- When it was set again because of a change, in milliseconds since 1970; the times of one day.
  add column callback_repairs jsonb not null default '[]',
  -- It was changed again and again, and is left alone until the account is entered anew.
  add column is_callback_left boolean not null default false,
  -- It may be there, at the place that the account's values name.
  add column is_callback_entered boolean not null default true;

alter table network_accounts alter column is_callback_entered set default false;

-- Callbacks that stand where an account was before, or that was removed, until they are taken away.
create table callback_withdrawals (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations (id),
  account_id bigint not null,
  network text not null,
  -- Where they stand, so that an account that comes back there keeps its callback.
  place text not null,
  -- The account's values there, and the callback.
  sealed_callback bytea not null,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  tries integer not null default 0
);

create index callback_withdrawals_next_try on callback_withdrawals (next_try_at);

create index callback_withdrawals_account on callback_withdrawals (account_id);

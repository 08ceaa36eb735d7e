-- What an account's callback and its broker tell stands beside what its API tells: none overwrites
-- the words of another.
alter table network_accounts
  -- Why the callback is not entered at the network; empty when nothing is wrong.
  add column callback_message text not null default '',
  -- Why the broker is not followed, empty while it is; null until that is known of these values.
  add column broker_message text,
  -- When the last uplink came by each way, to about ten seconds.
  add column callback_heard_at timestamptz,
  add column broker_heard_at timestamptz;

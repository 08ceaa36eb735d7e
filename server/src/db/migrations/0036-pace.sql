-- How quickly an account's network may be called, once it asked to slow down. All processes take
-- their turns from here.
alter table network_accounts
  -- Between two calls; null while nothing is known to be asked for.
  add column call_interval_ms double precision,
  -- The first turn that nobody has taken.
  add column next_call_at timestamptz,
  -- When the network last asked to slow down, or the pace was tried to be quicker.
  add column slowed_at timestamptz;

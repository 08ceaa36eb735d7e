-- One row per key that the service has sealed with: its id, and a known text that it sealed. A start
-- that can't open each of them has not the right keys.
create table seal_proofs (
  key_id bytea primary key,
  proof bytea not null,
  created_at timestamptz not null default now()
);

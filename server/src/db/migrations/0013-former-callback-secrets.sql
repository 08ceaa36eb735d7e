-- Every callback secret that was rotated out is valid for a day, not the last one alone.
alter table network_accounts
  -- Of each its SHA-256 (`hash`, hexadecimal) and its end in milliseconds since 1970 (`until`).
  -- The version before reads previous_callback_hash and previous_callback_until in its place.
  add column former_callbacks jsonb not null default '[]';

update network_accounts
set former_callbacks = jsonb_build_array(jsonb_build_object(
  'hash', encode(previous_callback_hash, 'hex'),
  'until', extract(epoch from previous_callback_until) * 1000
))
where previous_callback_hash is not null;

-- A token of a gateway of kind `other` that was rotated out is valid for a day more.
alter table gateways
  -- Of each its SHA-256 (`hash`, hexadecimal) and its end in milliseconds since 1970 (`until`).
  add column former_tokens jsonb not null default '[]';

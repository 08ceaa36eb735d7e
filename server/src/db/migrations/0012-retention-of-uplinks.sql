-- Null: uplinks are kept for ever.
alter table organizations add column uplink_retention_days integer
  constraint organizations_uplink_retention_days_check
  check (uplink_retention_days between 7 and 36500);

-- The ordinal of the oldest uplink that is kept; one above the last where none is. A constant
-- default is stored in the catalogue, so no table is rewritten.
alter table organization_counters add column first_ordinal bigint not null default 1;
alter table device_states add column first_ordinal bigint not null default 1;

-- Where the uplinks of a device lie in the index `uplinks_block`: blocks of up to 32 that follow each
-- other. Uplinks between two blocks, as the previous release writes them, have none
-- (docs/decisions/0052-blocks-of-uplinks.md).
create table uplink_blocks (
  organization_id bigint not null,
  device_id bigint not null,
  -- The device_ordinal of the first uplink.
  first_ordinal bigint not null,
  -- The hour since 1970 in which it began.
  block integer not null,
  primary key (organization_id, device_id, first_ordinal)
);

-- The latest block of the device; 0 before the first.
alter table device_states
  add column block integer not null default 0,
  add column block_ordinal bigint not null default 0;

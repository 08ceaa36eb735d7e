-- Stored frames that are decoded again: for each device type of an organization's own, the next uplink
-- of the organization to look at. A run begins with a frame whose codec had no time for it, or where
-- somebody asks for it, and ends with the latest uplink.
create table decoding_runs (
  organization_id bigint not null,
  type_id bigint not null,
  next_ordinal bigint not null,
  next_look_at timestamptz not null default now(),
  primary key (organization_id, type_id)
);

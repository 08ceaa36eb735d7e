-- Where a gateway stands: as its owner says, and as its network's messages last told.
alter table gateways
  add column latitude double precision,
  add column longitude double precision,
  add constraint gateways_place check (
    (latitude is null) = (longitude is null)
    and latitude between -90 and 90 and longitude between -180 and 180
  );

alter table gateway_states
  add column latitude double precision,
  add column longitude double precision;

-- The counters of each gateway at the beginning of each hour; their differences are its traffic.
-- Noted in the background, so that no uplink pays for it. Kept for some days.
create table gateway_hours (
  hour timestamptz not null,
  gateway_id bigint not null references gateways (id) on delete cascade,
  organization_id bigint not null,
  uplink_count bigint not null,
  downlink_count bigint not null,
  primary key (gateway_id, hour)
);

create index gateway_hours_hour on gateway_hours (hour);

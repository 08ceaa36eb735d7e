-- Devices whose queue at their network is to be compared with what we know to be in it: something may
-- have been taken out there, or dropped when the device joined.
create table downlink_checks (
  device_id bigint primary key references devices (id),
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  next_attempt_at timestamptz not null,
  claimed_until timestamptz
);

create index downlink_checks_due on downlink_checks (next_attempt_at);

create index downlink_checks_lane on downlink_checks
  (network, register_method, organization_id, next_attempt_at);

-- When it was compared last.
alter table downlink_queues add column checked_at timestamptz;

-- When it was found first that the network's queue does not hold it any more.
alter table downlinks add column missing_since timestamptz;

-- Those that failed for want of a report, which may come yet.
create index downlinks_unreported on downlinks (organization_id, device_id, id)
  where state = 'failed' and is_uncertain;

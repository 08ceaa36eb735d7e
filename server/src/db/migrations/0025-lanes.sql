-- Work for the networks stands in lanes: what goes through one account for one organization. A lane
-- is found without reading the work of others, so that what waits for an account that is absent or
-- paused costs nothing, and every lane has its turn.
drop index provisioning_next_attempt;

create index provisioning_lane on provisioning
  (network, register_method, organization_id, next_attempt_at, id);

create index provisioning_claimed on provisioning (network, register_method, organization_id)
  where claimed_until is not null;

alter table downlink_queues add column network text, add column register_method text;

update downlink_queues
set network = devices.network, register_method = devices.register_method
from devices
where devices.id = downlink_queues.device_id;

alter table downlink_queues
  alter column network set not null,
  alter column register_method set not null;

drop index downlink_queues_next_attempt;

create index downlink_queues_lane on downlink_queues
  (network, register_method, organization_id, next_attempt_at, device_id)
  where next_attempt_at is not null;

create index downlink_queues_claimed on downlink_queues (network, register_method, organization_id)
  where claimed_until is not null;

-- Failures in a row of calls through an account, and until when it is left alone after them.
alter table network_accounts
  add column failures integer not null default 0,
  add column paused_until timestamptz;

-- A request that waits for its message knows the device alone.
create unique index downlink_queues_device on downlink_queues (device_id);

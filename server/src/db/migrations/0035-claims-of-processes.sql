-- The process that made the claim; null where it does not show that it lives.
alter table provisioning add column claimed_by uuid;
alter table downlink_queues add column claimed_by uuid;

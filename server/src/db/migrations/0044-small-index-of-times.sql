-- outside a transaction

-- The uplinks of a device by their time, without the organization, which the id of the device implies:
-- 11 bytes an uplink less (docs/decisions/0031-bytes-of-an-uplink.md). What uses the former index takes
-- this one.
create index concurrently uplinks_time on uplinks (device_id, event_time);

drop index concurrently if exists uplinks_device_time;

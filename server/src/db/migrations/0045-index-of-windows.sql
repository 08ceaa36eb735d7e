-- outside a transaction

-- Finds repeats, and the uplinks of a device by their time, in place of two indexes: windows of six
-- hours with the device, 24 bits of a hash of the key, and the second within the window
-- (docs/decisions/0049-windows-of-uplinks.md).
create index concurrently uplinks_window on uplinks (
  ((floor(date_part('epoch', event_time at time zone 'UTC') / 21600)::bigint << 40) | device_id),
  (hashtext(coalesce(deduplication_key, deduplication_id::text)) & 16777215),
  ((floor(date_part('epoch', event_time at time zone 'UTC'))
    - floor(date_part('epoch', event_time at time zone 'UTC') / 21600) * 21600)::integer)
);

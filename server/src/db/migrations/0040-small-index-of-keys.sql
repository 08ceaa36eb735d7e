-- outside a transaction

-- Finds repeats, in half of the bytes of `uplinks_key`: the hour above 40 bits of a hash of device and
-- key (docs/decisions/0032-keys-by-the-hour.md).
create index concurrently uplinks_repeat on uplinks ((
  (floor(date_part('epoch', event_time at time zone 'UTC') / 3600)::bigint << 40)
  | (hashtextextended(coalesce(deduplication_key, deduplication_id::text), device_id) & 1099511627775)
));

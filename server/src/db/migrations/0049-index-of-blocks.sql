-- outside a transaction

-- Finds the uplinks of a device by their ordinals, in place of `uplinks_device`.
create index concurrently uplinks_block on uplinks (
  ((block::bigint << 40) | device_id), device_ordinal
);

-- What the planner knows of its first column.
analyze uplinks;

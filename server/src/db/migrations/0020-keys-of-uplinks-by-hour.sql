-- outside a transaction

-- Finds repeats (docs/decisions/0032-keys-by-the-hour.md).
create unique index concurrently uplinks_key on uplinks (
  date_bin('1 hour', event_time, timestamptz 'epoch'),
  hashtextextended(deduplication_key, device_id), organization_id
);

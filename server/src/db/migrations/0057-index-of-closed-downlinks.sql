-- outside a transaction

-- Downlinks are deleted a year after their end.
create index concurrently downlinks_closed on downlinks (closed_at) where closed_at is not null;

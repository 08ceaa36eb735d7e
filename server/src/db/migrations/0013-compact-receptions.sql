-- The gateways of an uplink in a third of the bytes (docs/decisions/0031-bytes-of-an-uplink.md).
-- Rows that are stored already keep theirs in `gateways`, where new ones have an empty list.
alter table uplinks add column receptions text;

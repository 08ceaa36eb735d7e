-- The hour since 1970 in which the uplink's block began, 0 for what was stored without one
-- (docs/decisions/0052-blocks-of-uplinks.md).
alter table uplinks add column block integer not null default 0;

-- The console lists 100,000 devices by name: a page reads this index instead of sorting them all.

create index devices_name on devices (organization_id, lower(name), id) where deleted_at is null;


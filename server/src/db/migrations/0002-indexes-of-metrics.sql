-- What `GET /metrics` counts at every scrape is counted in small indexes, not in wide rows.

create index devices_network on devices (network, register_status) where deleted_at is null;

-- `downlinks_open` is no substitute: it keeps the downlinks of codecs that no sensor acknowledges.
create index downlinks_waiting on downlinks (state) where state in ('queued', 'handed_over');

-- Lists of downlinks: those of a device, and those of an organization that wait or went wrong. The
-- steps of a downlink are read from its history.

create index downlinks_device on downlinks (organization_id, device_id, id);

create index downlinks_noted on downlinks (organization_id, state, id)
  where state in ('queued', 'handed_over', 'rejected', 'failed');

create index downlink_history_downlink on downlink_history (organization_id, downlink_id);

-- The battery readings of a device are a few among very many uplinks: one a day by default.

create index uplinks_battery on uplinks (organization_id, device_id, event_time)
  where decoded_object ? 'battery';

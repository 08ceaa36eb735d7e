-- Histories of measurements, and messages that take several frames.

-- What the frames of a device that are read together with later ones have left: the spectrum of a
-- vibration sensor, and the packets of a device info. Only devices that send such have a row.
create table frame_memories (
  organization_id bigint not null,
  device_id bigint not null,
  -- Lists of parts by group (sensors/join.ts), a few kilobytes at most.
  memory jsonb not null,
  primary key (organization_id, device_id)
) with (fillfactor = 50);

-- A range of time of one device. Begins with the device like the others, so that an insert touches
-- the device's own page. Building it locks the table for writers: 1 s per million uplinks.
create index uplinks_device_time on uplinks (organization_id, device_id, event_time);

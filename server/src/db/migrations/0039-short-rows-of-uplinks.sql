-- Uplinks in fewer bytes (docs/decisions/0047-short-rows.md). Rows that are stored already stay as they
-- are. New ones leave out what follows from the payload, once no process of the previous release reads
-- them: the message and the sequence, and have a number for the event type and 16 bytes for a key that
-- is a UUID.
alter table uplinks
  add column event_number smallint,
  add column deduplication_id uuid,
  alter column event_type drop not null,
  alter column sensor_sequence drop not null,
  alter column decoded_message drop not null,
  alter column deduplication_key drop not null;

-- Downlinks that an organization's own codec encodes, as long as a frame of LoRaWAN may be. Their
-- `field_values` are `codec_data`, the text of what the codec was given, and `codec_warnings`.

alter table downlinks
  drop constraint downlinks_payload_check,
  add constraint downlinks_payload_check check (length(payload) between 1 and 242);

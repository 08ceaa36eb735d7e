-- How a device speaks LoRaWAN where it is not 1.0.x, OTAA and class A (docs/lorawan.md), and its
-- second key, which LoRaWAN 1.1 and ABP need.
alter table devices
  add column radio jsonb,
  add column sealed_network_key bytea;

-- Webhooks whose address is an MQTT broker: how messages are published there, and the secrets of the
-- login. Null for all others.
alter table webhooks
  add column mqtt jsonb,
  add column sealed_login bytea;

-- What was announced to Home Assistant at a broker (docs/home-assistant.md), so that it is said again
-- when it has changed, and taken back when the device is gone.
create table webhook_announcements (
  organization_id bigint not null,
  webhook_id bigint not null,
  -- Where the announcement is retained.
  topic text not null,
  device_id bigint not null,
  type_id integer not null,
  -- Platform and name of each, such as `sensor temperature`.
  components text[] not null,
  -- Of the announcement; null where it is to be sent again.
  digest text,
  primary key (organization_id, webhook_id, topic),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);

-- When announcements are next compared with the devices; null while there are none.
alter table webhooks add column announcements_due_at timestamptz;

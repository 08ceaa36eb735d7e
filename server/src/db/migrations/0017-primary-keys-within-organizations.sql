-- Only of tables that the previous release does not look up by their old keys often, nor names them
-- in "on conflict". The new index becomes the key, so nothing is read or built.
alter table device_types
  drop constraint device_types_pkey,
  add constraint device_types_pkey primary key using index device_types_key;
drop index device_types_organization;

alter table gateway_hours
  drop constraint gateway_hours_pkey,
  add constraint gateway_hours_pkey primary key using index gateway_hours_key;

alter table network_events
  drop constraint network_events_pkey,
  drop constraint network_events_network_account_id_device_id_kind_deduplicat_key,
  add constraint network_events_pkey primary key using index network_events_key;

alter table quarantined_messages
  drop constraint quarantined_messages_pkey,
  drop constraint quarantined_messages_network_account_id_device_eui_deduplic_key,
  add constraint quarantined_messages_pkey primary key using index quarantined_messages_key;
drop index quarantined_messages_organization;

alter table reconciliation_differences
  drop constraint reconciliation_differences_pkey,
  add constraint reconciliation_differences_pkey
    primary key using index reconciliation_differences_key;

alter table reconciliation_ignores
  drop constraint reconciliation_ignores_pkey,
  add constraint reconciliation_ignores_pkey primary key using index reconciliation_ignores_key;

alter table subscriptions
  drop constraint subscriptions_pkey,
  add constraint subscriptions_pkey primary key using index subscriptions_key;

alter table job_rows
  drop constraint job_rows_pkey,
  add constraint job_rows_pkey primary key using index job_rows_key;

-- outside a transaction

-- Keys that begin with the organization: a distributed database needs them (docs/scaling.md), and
-- look-ups name the organization anyway. The previous release finds its rows by the old keys, so
-- those of tables that it looks up by them stay until a later release.
create unique index concurrently devices_key on devices (organization_id, id);
create unique index concurrently device_states_key on device_states (organization_id, device_id);
create unique index concurrently device_types_key on device_types (organization_id, id);
create unique index concurrently gateways_key on gateways (organization_id, id);
create unique index concurrently gateway_states_key on gateway_states (organization_id, gateway_id);
create unique index concurrently gateway_hours_key
  on gateway_hours (organization_id, gateway_id, hour);
create unique index concurrently network_accounts_key on network_accounts (organization_id, id);
create unique index concurrently network_events_key on network_events (organization_id, id);
create unique index concurrently network_events_once on network_events
  (organization_id, device_id, network_account_id, kind, deduplication_key);
create unique index concurrently provisioning_key on provisioning (organization_id, id);
create unique index concurrently quarantined_messages_key
  on quarantined_messages (organization_id, id);
create unique index concurrently quarantined_messages_once on quarantined_messages
  (organization_id, network_account_id, device_eui, deduplication_key);
create unique index concurrently reconciliations_key
  on reconciliations (organization_id, network_account_id);
create unique index concurrently reconciliation_differences_key
  on reconciliation_differences (organization_id, network_account_id, eui, kind);
create unique index concurrently reconciliation_ignores_key
  on reconciliation_ignores (organization_id, network_account_id, eui, kind);
create unique index concurrently subscriptions_key on subscriptions (organization_id, id);
create unique index concurrently downlink_checks_key on downlink_checks (organization_id, device_id);
create unique index concurrently jobs_key on jobs (organization_id, id);
create unique index concurrently job_rows_key on job_rows (organization_id, job_id, number);

-- outside a transaction

-- Reads the tables while they are written.
alter table device_states validate constraint device_states_device;
alter table downlink_checks validate constraint downlink_checks_device;
alter table downlink_queues validate constraint downlink_queues_device;
alter table downlinks validate constraint downlinks_device;
alter table grouped_devices validate constraint grouped_devices_device;
alter table devices validate constraint devices_gateway;
alter table gateway_states validate constraint gateway_states_gateway;
alter table gateway_hours validate constraint gateway_hours_gateway;
alter table provisioning validate constraint provisioning_device;
alter table provisioning validate constraint provisioning_gateway;
alter table reconciliations validate constraint reconciliations_account;
alter table reconciliation_differences validate constraint reconciliation_differences_account;
alter table reconciliation_ignores validate constraint reconciliation_ignores_account;
alter table job_rows validate constraint job_rows_job;

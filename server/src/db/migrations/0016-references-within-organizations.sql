-- Rows belong to the organization of what they refer to. A later file validates this.
alter table device_states
  drop constraint device_states_device_id_fkey,
  add constraint device_states_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid;

alter table downlink_checks
  drop constraint downlink_checks_device_id_fkey,
  add constraint downlink_checks_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid;

alter table downlink_queues
  drop constraint downlink_queues_device_id_fkey,
  add constraint downlink_queues_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid;

alter table downlinks
  drop constraint downlinks_device_id_fkey,
  add constraint downlinks_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid;

alter table grouped_devices
  drop constraint grouped_devices_device_id_fkey,
  add constraint grouped_devices_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid;

alter table devices
  drop constraint devices_gateway_id_fkey,
  add constraint devices_gateway foreign key (organization_id, gateway_id)
    references gateways (organization_id, id) not valid;

alter table gateway_states
  drop constraint gateway_states_gateway_id_fkey,
  add constraint gateway_states_gateway foreign key (organization_id, gateway_id)
    references gateways (organization_id, id) not valid;

alter table gateway_hours
  drop constraint gateway_hours_gateway_id_fkey,
  add constraint gateway_hours_gateway foreign key (organization_id, gateway_id)
    references gateways (organization_id, id) on delete cascade not valid;

alter table provisioning
  drop constraint provisioning_device_id_fkey,
  drop constraint provisioning_gateway_id_fkey,
  add constraint provisioning_device foreign key (organization_id, device_id)
    references devices (organization_id, id) not valid,
  add constraint provisioning_gateway foreign key (organization_id, gateway_id)
    references gateways (organization_id, id) not valid;

alter table reconciliations
  drop constraint reconciliations_network_account_id_fkey,
  add constraint reconciliations_account foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade not valid;

alter table reconciliation_differences
  drop constraint reconciliation_differences_network_account_id_fkey,
  add constraint reconciliation_differences_account foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade not valid;

alter table reconciliation_ignores
  drop constraint reconciliation_ignores_network_account_id_fkey,
  add constraint reconciliation_ignores_account foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade not valid;

alter table job_rows
  drop constraint job_rows_job_id_fkey,
  add constraint job_rows_job foreign key (organization_id, job_id)
    references jobs (organization_id, id) on delete cascade not valid;

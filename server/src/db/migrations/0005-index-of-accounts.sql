-- The page of networks counts the devices of each account in this index alone.
create index devices_account on devices (organization_id, network, register_method, register_status)
  where deleted_at is null;

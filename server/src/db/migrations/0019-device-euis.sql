-- A device EUI is unique in its organization, not in the whole service: another organization's
-- registration neither blocks nor shows one's own. Only what goes through the operator's account
-- at a network is there once, whoever registered it. The look-ups of an account's messages go along
-- the same two indexes.
drop index devices_eui;

create unique index devices_eui on devices (organization_id, eui) where deleted_at is null;

create unique index devices_vendor_eui on devices (network, eui)
  where register_method = 'vendor' and deleted_at is null;

-- A network may report a downlink by its own id of it alone. The one index there was for that id
-- begins with the device.
create index downlinks_item on downlinks (queue_item_id, organization_id)
  where queue_item_id is not null;

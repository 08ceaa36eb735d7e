-- outside a transaction

-- Finds devices on their way to the operator's account, by the messages of its network.
create index concurrently devices_moving_vendor on devices (other_network, eui)
  where other_method = 'vendor' and deleted_at is null;

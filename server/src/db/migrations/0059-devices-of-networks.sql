-- A device that a network has for another LoRaWAN version, activation or class than it is registered with.
alter table reconciliation_differences
  drop constraint reconciliation_differences_difference_check;
alter table reconciliation_differences
  add constraint reconciliation_differences_difference_check check (difference in (
    'only_at_network', 'only_here', 'name_differs', 'key_differs', 'join_eui_differs',
    'lorawan_differs', 'incomplete'
  ));

-- Whether a person asked to replace the key that the network may have.
alter table provisioning add column replaces_key boolean not null default false;

-- The network has refused the registration: what it has under the EUI is not ours to remove.
alter table devices add column is_refused boolean not null default false;

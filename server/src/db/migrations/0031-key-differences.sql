-- Devices that both sides have, and that are not the same at the network as here.
alter table reconciliation_differences
  drop constraint reconciliation_differences_difference_check,
  add constraint reconciliation_differences_difference_check check (
    difference in (
      'only_at_network', 'only_here', 'name_differs', 'key_differs', 'join_eui_differs', 'incomplete'
    )
  ),
  -- What is wrong, in words; null where the difference says it all.
  add column problem text;

alter table reconciliations
  -- EUI of the device up to which the network was asked about single ones; '' to begin anew.
  add column details_read_to text not null default '';

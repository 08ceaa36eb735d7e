-- outside a transaction

-- 0029 left these checks without a look at the rows that were there. This reads the tables and
-- holds up no writes.
alter table network_accounts validate constraint network_accounts_register_method_check;
alter table gateways validate constraint gateways_register_method_check;
alter table devices validate constraint devices_register_method_check;

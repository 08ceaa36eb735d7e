-- Accounts beyond the first have a register method that names them, as `user_account:north`
-- (docs/decisions/0042-several-accounts.md). Every row that has the former check fulfils this one, so
-- it needs no reading of the table.
alter table network_accounts
  drop constraint network_accounts_register_method_check,
  add constraint network_accounts_register_method_check
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$') not valid;
alter table gateways
  drop constraint gateways_register_method_check,
  add constraint gateways_register_method_check
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$') not valid;
alter table devices
  drop constraint devices_register_method_check,
  add constraint devices_register_method_check
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$') not valid;

-- What a comparison left out, since the network does not show it to the account.
alter table reconciliations add column left_out jsonb not null default '[]';

-- Members of the messages of an account that could not be used, by name: how often, and the last
-- example (`networks/unread.ts`). The names are those of the readers, so there are few.
alter table network_accounts add column unread_members jsonb not null default '{}';

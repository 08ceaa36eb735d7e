-- The profile of new devices at the network, where it is not the account's own: by device type, as
-- {"16": "profile"}, and of a single device (docs/profiles.md).
alter table network_accounts add column device_profiles jsonb not null default '{}';
alter table devices add column network_profile text;

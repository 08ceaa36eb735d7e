-- API keys: programs act with one, for one organization, without the login of a person.

create table api_keys (
  organization_id bigint not null references organizations (id),
  id bigint generated always as identity,
  name text not null,
  permissions text[] not null,
  -- The devices in this group and below it are all that the key reaches.
  group_id bigint,
  -- Addresses and ranges that it is used from; any, if there are none.
  networks text[] not null default '{}',
  expires_at timestamptz,
  key_hash bytea not null,
  -- The last characters, by which people recognize it.
  key_end text not null,
  -- The key before the last rotation, which is valid until then.
  former_hash bytea,
  former_until timestamptz,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  last_address text,
  last_user_agent text,
  primary key (organization_id, id)
);

create unique index api_keys_hash on api_keys (organization_id, key_hash);
create unique index api_keys_former_hash on api_keys (organization_id, former_hash)
  where former_hash is not null;

-- The key that made a change. Its name stays when the key is revoked.
alter table activities
  add column key_id bigint,
  add column key_name text;

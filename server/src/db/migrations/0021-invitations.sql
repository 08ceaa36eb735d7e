-- Nobody becomes a member or an owner without their word: they are invited, and accept.
create table invitations (
  id bigint generated always as identity primary key,
  -- Whose people invite; of an owner to be, the parent of the organization that accepting makes.
  organization_id bigint not null references organizations,
  -- The name of that organization; null where it is about a membership.
  child_name text,
  -- Of whoever has the address, whether that is a user already or not.
  email text not null,
  normal_email text not null,
  permissions text[] not null default '{}',
  invited_by bigint not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create unique index invitations_once
  on invitations (organization_id, normal_email, child_name) nulls not distinct;
create index invitations_email on invitations (normal_email);
create index invitations_expires_at on invitations (expires_at);

-- Whether the password is one that somebody else has set.
alter table users add column must_change_password boolean not null default false;

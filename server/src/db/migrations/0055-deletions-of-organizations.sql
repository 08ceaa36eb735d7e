-- Organizations that are deleted in the background, with all that is below them. Rows are kept for 30
-- days after the end.
create table organization_deletions (
  id bigint generated always as identity primary key,
  -- Without a reference: it is gone at the end.
  organization_id bigint not null,
  parent_org_id bigint references organizations on delete cascade,
  name text not null,
  -- Null: by the command.
  user_id bigint references users,
  state text not null check (state in ('removing', 'telling', 'leaving', 'deleting', 'done')),
  -- The organization whose devices are removed now; those before it have none.
  place bigint not null default 0,
  -- Until then networks are told; null until all is removed.
  told_until timestamptz,
  organizations integer not null,
  devices bigint not null,
  uplinks bigint not null,
  organizations_left integer not null,
  devices_left bigint not null,
  uplinks_left bigint not null,
  -- Devices, gateways, callbacks and sessions that the networks could not be told to forget.
  left_at_networks integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index organization_deletions_parent on organization_deletions (parent_org_id, id);
create index organization_deletions_open on organization_deletions (id) where state <> 'done';

-- Set while the organization is deleted: nothing is accepted for it.
alter table organizations add column deletion_id bigint references organization_deletions;
create index organizations_deletion on organizations (deletion_id) where deletion_id is not null;

-- What a deleted organization could still be referred to by.
create index organizations_top on organizations (top_id);

-- Requests in a minute of a tenant, all its members and keys together; null: the usual limit.
alter table organizations add column request_limit integer check (request_limit > 0);

-- Device groups: the trees of each organization, and the devices in each group.

-- Whatever changes the shape of an organization's trees locks its row here first, so that two moves
-- which are right one by one cannot close a circle together. A row, and not an advisory lock: those
-- belong to one server, and on a cluster two clients may hold the same one.
create table group_trees (
  organization_id bigint primary key references organizations
);

create table device_groups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  parent_id bigint check (parent_id <> id),
  name text not null,
  -- Whether a console shows the group unfolded.
  is_open boolean not null default true,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, parent_id) references device_groups
);

create index device_groups_parent on device_groups (organization_id, parent_id);

-- The rows of deleted devices stay; readers leave them out.
create table grouped_devices (
  organization_id bigint not null,
  group_id bigint not null,
  device_id bigint not null references devices,
  added_at timestamptz not null default now(),
  primary key (organization_id, group_id, device_id),
  foreign key (organization_id, group_id) references device_groups on delete cascade
);

create index grouped_devices_device on grouped_devices (organization_id, device_id);

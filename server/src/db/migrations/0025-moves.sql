-- A device moves from one network to another (docs/decisions/0037-moves.md). While it does, it is
-- also at `other_network`, or on its way there; `network` is where it was until the move is done.
create table device_moves (
  id bigint generated always as identity,
  organization_id bigint not null references organizations (id),
  device_id bigint not null,
  user_id bigint not null references users (id),
  from_network text not null,
  from_method text not null,
  to_network text not null,
  to_method text not null,
  gateway_id bigint,
  app_region text,
  frequency_plan text,
  -- A hash of the name and key that the device had when the move began.
  stamp text not null,
  -- The key of the request, until the move is over. The device keeps its own until it is done.
  sealed_key bytea,
  state text not null check (state in (
    'preparing', 'waiting', 'completing', 'putting_back', 'done', 'expired', 'cancelled', 'failed'
  )),
  -- How it ends once the device is put back.
  ending text check (ending in ('expired', 'cancelled', 'failed')),
  message text,
  steps jsonb not null default '[]',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the next step is due without a call that ends; null where such a call is awaited.
  due_at timestamptz,
  heard_at timestamptz,
  finished_at timestamptz,
  primary key (organization_id, id),
  constraint device_moves_device foreign key (organization_id, device_id)
    references devices (organization_id, id)
);

-- One move of a device at a time.
create unique index device_moves_open on device_moves (organization_id, device_id)
  where finished_at is null;
create index device_moves_of_device on device_moves (organization_id, device_id, id);
create index device_moves_due on device_moves (due_at) where due_at is not null;
create index device_moves_calls on device_moves (id)
  where state in ('preparing', 'completing', 'putting_back');

alter table devices add column other_network text, add column other_method text;

-- Set where the call is a step of a move: its outcome concerns the move, not the device.
alter table provisioning add column move_id bigint;

alter table jobs drop constraint jobs_kind_check, add constraint jobs_kind_check check (
  kind in ('register', 'rename', 'move', 'configure', 'delete', 'change', 'change_network')
);

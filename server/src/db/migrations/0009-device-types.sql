-- Device types that organizations make themselves, with the codec that reads their frames.

create table device_types (
  -- Apart from those of the built-in types, which stay far below.
  id integer generated always as identity (start with 100000) primary key,
  organization_id bigint not null references organizations,
  type_name text not null,
  part_number text not null,
  payload_format text not null check (payload_format in ('ts013', 'cayenne_lpp')),
  -- JavaScript, as it was sent.
  codec text,
  -- Counts the changes of what frames are read with: caches know a codec by id and revision.
  revision integer not null default 1,
  -- Frames and what the codec must make of them. As text: key order and odd characters stay.
  examples json not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((payload_format = 'ts013') = (codec is not null))
);

create index device_types_organization on device_types (organization_id, id);
-- Whether a type is in use, and whose latest uplinks its codec is tried on.
create index devices_type on devices (organization_id, type_id) where deleted_at is null;

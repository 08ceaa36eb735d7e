-- What members of an organization have changed. Its newest 100,000 rows are kept, for a year.
create table activities (
  id bigint generated always as identity,
  organization_id bigint not null references organizations (id),
  user_id bigint not null references users (id),
  happened_at timestamptz not null,
  kind text not null,
  action text not null,
  subject text,
  name text,
  count integer,
  fields text[] not null default '{}',
  primary key (organization_id, id)
);

create index activities_happened_at on activities (happened_at);

-- Long work on many devices, done in the background, with a result for every row.

create table jobs (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Who gave it; its rights are checked again for every portion.
  user_id bigint not null references users,
  kind text not null check (
    kind in ('register', 'rename', 'move', 'configure', 'delete', 'change')
  ),
  -- `receiving`: further rows are to come.
  state text not null check (state in ('receiving', 'queued', 'running', 'done', 'cancelled')),
  is_dry_run boolean not null,
  -- In the words of the client, such as the name of a file.
  title text,
  settings jsonb not null,
  -- Why it was cancelled.
  message text,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The last portion: the jobs of a tree take turns.
  worked_at timestamptz
);
create index jobs_organization on jobs (organization_id, id);
create index jobs_open on jobs (worked_at nulls first, id) where state in ('queued', 'running');
create index jobs_created_at on jobs (created_at);

create table job_rows (
  job_id bigint not null references jobs on delete cascade,
  -- From 1, in the order in which they were sent.
  number integer not null,
  organization_id bigint not null,
  state text not null check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Normalized; null where the row has none that can be read.
  eui text,
  -- As it was sent, without secrets.
  input jsonb not null,
  -- The device key, until the row is done.
  sealed_secret bytea,
  message text,
  device_id bigint,
  primary key (job_id, number)
);
create index job_rows_waiting on job_rows (job_id, number) where state = 'waiting';
create index job_rows_failed on job_rows (job_id, number) where state = 'failed';
-- Secrets of jobs that are over are removed by it.
create index job_rows_secret on job_rows (job_id) where sealed_secret is not null;
-- Finds the rows of a dry run that name the same device.
create index job_rows_eui on job_rows (job_id, eui, number);

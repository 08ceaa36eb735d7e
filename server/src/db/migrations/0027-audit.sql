-- Each organization's activities form a hash chain (docs/audit.md). A request stores its activity
-- without a position; the background gives it one, with its hash, in order.
alter table activities
  add column address text,
  add column operation text,
  -- Of a refused request, the answer.
  add column status smallint,
  -- As it was when the activity was chained.
  add column user_email text,
  add column position bigint,
  add column hash bytea;

create table activity_chains (
  organization_id bigint primary key references organizations (id),
  -- The newest record of the chain, and the newest one that retention has removed. Only what
  -- `sealed_head` says of them counts: it also has their hashes.
  position bigint not null,
  removed_position bigint not null,
  sealed_head bytea not null
);

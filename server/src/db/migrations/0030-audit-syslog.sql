-- How far the records of a chain were sent to the operator's syslog server, and who sends them.
alter table activity_chains
  add column told_position bigint not null default 0,
  add column told_turn_at timestamptz,
  add column told_by uuid,
  add column told_until timestamptz;

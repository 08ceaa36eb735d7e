-- Requests of a user to an organization in the running minute, over all server processes. Each adds
-- what it has counted about once a second. A start is in milliseconds since 1970.
create table request_counts (
  subject text primary key,
  started_at bigint not null,
  count bigint not null
);

-- People see where they are logged in, and end what they do not know. A refreshed token stays in the
-- row of its login, so created_at is the login, from which the end of the whole chain is counted.
alter table sessions
  add column last_used_at timestamptz not null default now(),
  add column address text,
  add column user_agent text;

update sessions set last_used_at = created_at;

create index sessions_user on sessions (user_id, id);

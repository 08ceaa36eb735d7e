-- Codes that were mailed to people who lost their password: each good once, for a short time.
create table password_resets (
  -- SHA-256 of the code; the code itself is kept nowhere.
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null
);

create index password_resets_user on password_resets (user_id);
create index password_resets_expires_at on password_resets (expires_at);

-- Two-factor authentication: who has it on, their recovery codes, and the set-ups under way.

create table two_factors (
  user_id bigint primary key references users,
  sealed_secret bytea not null,
  -- Time step of the last code that was accepted: each code works once, so only later ones are.
  last_step bigint not null,
  enabled_at timestamptz not null
);

create table recovery_codes (
  user_id bigint not null references two_factors on delete cascade,
  -- SHA-256; a code has 120 random bits. Using one deletes its row.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- What /confirm-password-access hands out, good for one set-up or one removal.
create table two_factor_tokens (
  -- SHA-256 of the token; the token itself is kept nowhere.
  token_hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  -- The secret that was made for this token.
  sealed_secret bytea,
  -- Time step of the code that proved it, and the recovery codes that were shown for it.
  verified_step bigint,
  recovery_hashes bytea[],
  check (sealed_secret is not null or verified_step is null),
  check ((verified_step is null) = (recovery_hashes is null))
);

create index two_factor_tokens_session on two_factor_tokens (session_id);
create index two_factor_tokens_expires_at on two_factor_tokens (expires_at);

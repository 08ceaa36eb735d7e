-- What an organization pays for, and the answers that a repeated request gets again.

-- The agreement between an organization and the operator. What is billed beside the plan follows
-- from the devices that there are, so nothing here changes when one comes or goes. Ended ones stay.
create table subscriptions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- The plan as it was agreed: later changes of the setting do not touch it.
  plan jsonb not null,
  customer jsonb not null,
  -- From this day on the plan's interval is counted: the end of a trial, or the day it was set up.
  first_billing_on date not null,
  user_id bigint not null references users,
  started_at timestamptz not null,
  ended_at timestamptz
);

create unique index subscriptions_running on subscriptions (organization_id)
  where ended_at is null;

-- Requests that carried an Idempotency-Key. Without an answer the request is being handled, until
-- `claimed_until` at the latest: after it the server process is taken for dead.
create table idempotency_keys (
  organization_id bigint not null,
  -- SHA-256 of user, method, path and key: of one size, whatever is sent.
  scope bytea not null,
  claim uuid not null,
  claimed_until timestamptz not null,
  expires_at timestamptz not null,
  -- Sealed, since requests and answers may hold secrets: a hash of the request, and the answer.
  sealed_request bytea not null,
  answer_status integer,
  sealed_answer bytea,
  primary key (organization_id, scope),
  check ((answer_status is null) = (sealed_answer is null))
);

create index idempotency_keys_expires_at on idempotency_keys (expires_at);

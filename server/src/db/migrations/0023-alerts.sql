-- Alerts: rules of organizations, what they have found, and the mails about it. Uplinks are read by
-- a cursor, so ingest writes nothing here.

-- One for each organization that ever had a rule: how far its uplinks are looked through.
create table alert_watches (
  organization_id bigint primary key references organizations (id),
  uplink_ordinal bigint not null,
  -- Whether one of the rules looks at uplinks at all.
  reads_uplinks boolean not null,
  -- When silence, and all else that no uplink tells, is looked for next.
  next_look_at timestamptz not null,
  -- When some process last began to look.
  turn_at timestamptz not null default 'epoch',
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz
) with (fillfactor = 50);

create table alert_rules (
  organization_id bigint not null references organizations (id),
  id bigint generated always as identity,
  name text not null,
  kind text not null check (kind in (
    'device_silent', 'gateway_silent', 'low_battery', 'tamper', 'threshold', 'registration_error'
  )),
  group_id bigint,
  type_id integer,
  network text,
  settings jsonb not null,
  -- Users who get mails, as long as they are members.
  recipients bigint[] not null,
  tells_back boolean not null,
  is_active boolean not null,
  muted_until timestamptz,
  -- The last digest: the next one waits for some minutes.
  digested_at timestamptz,
  user_id bigint not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The history of its alerts stays.
  deleted_at timestamptz,
  primary key (organization_id, id)
);

-- What one mail tells: all that happens to a rule within some minutes.
create table alert_digests (
  organization_id bigint not null,
  id bigint generated always as identity,
  rule_id bigint not null,
  due_at timestamptz not null,
  written_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references alert_rules
);
create unique index alert_digests_gathering
  on alert_digests (organization_id, rule_id) where written_at is null;

create index alert_digests_written
  on alert_digests (organization_id, written_at) where written_at is not null;

create table alerts (
  organization_id bigint not null,
  id bigint generated always as identity,
  rule_id bigint not null,
  kind text not null,
  device_id bigint,
  gateway_id bigint,
  -- `pending`: beyond a threshold, but not yet for long enough. Nobody sees it.
  state text not null check (state in ('pending', 'open', 'closed')),
  -- When the state of things began: the last message of a silent device.
  began_at timestamptz not null,
  -- The time of the reading that changed the alert last; earlier ones come too late.
  changed_at timestamptz not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  value double precision,
  -- What was crossed; seconds for silence.
  bound double precision,
  details jsonb not null default '{}',
  -- The silent gateway that alone had heard the device.
  cause_gateway_id bigint,
  told_at timestamptz,
  digest_id bigint,
  back_told_at timestamptz,
  back_digest_id bigint,
  acknowledged_at timestamptz,
  acknowledged_by bigint,
  note text,
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references alert_rules,
  check ((device_id is null) <> (gateway_id is null))
);
-- A rule has one alert about a thing at a time.
create unique index alerts_of_device_now
  on alerts (organization_id, rule_id, device_id) where state <> 'closed' and device_id is not null;
create unique index alerts_of_gateway_now
  on alerts (organization_id, rule_id, gateway_id)
  where state <> 'closed' and gateway_id is not null;
create index alerts_open on alerts (organization_id, id) where state = 'open';
create index alerts_device on alerts (organization_id, device_id, rule_id, id);
create index alerts_gateway on alerts (organization_id, gateway_id, id)
  where gateway_id is not null;
create index alerts_rule on alerts (organization_id, rule_id, id);
create index alerts_untold on alerts (organization_id) where state = 'open' and told_at is null;
create index alerts_back_untold
  on alerts (organization_id)
  where state = 'closed' and told_at is not null and back_told_at is null;
create index alerts_digest on alerts (organization_id, digest_id) where digest_id is not null;
create index alerts_back_digest
  on alerts (organization_id, back_digest_id) where back_digest_id is not null;
create index alerts_cause on alerts (organization_id, rule_id, cause_gateway_id)
  where state = 'open' and cause_gateway_id is not null;
create index alerts_closed on alerts (organization_id, closed_at) where state = 'closed';

-- How often a device sends, learnt from its last uplinks.
create table alert_rhythms (
  organization_id bigint not null,
  device_id bigint not null,
  interval_seconds double precision not null,
  -- Nine of ten intervals are shorter.
  long_seconds double precision not null,
  learnt_at timestamptz not null,
  primary key (organization_id, device_id)
);

create table alert_mutes (
  organization_id bigint not null,
  device_id bigint not null,
  muted_until timestamptz not null,
  user_id bigint not null,
  primary key (organization_id, device_id)
);

create table alert_mails (
  organization_id bigint not null,
  id bigint generated always as identity,
  -- One mail of a digest for each user.
  key text not null,
  user_id bigint not null,
  subject text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, key)
);
create index alert_mails_waiting on alert_mails (next_attempt_at) where state = 'waiting';
create index alert_mails_created on alert_mails (organization_id, created_at);

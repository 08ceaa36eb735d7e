-- The whole schema, subject by subject, the lowest first. Until 1.0 a change of the schema is an edit of
-- this file; from then on it is a migration of its own (README.md in this folder).
--
-- Columns "sealed_..." hold encrypted secrets. Columns "..._hash" hold SHA-256, except for passwords.
-- Keys of what an organization owns begin with the organization: look-ups name it anyway, and a
-- distributed database (docs/scaling.md) needs it.


-- processes ---------------------------------------------------------------------------------------

-- Processes that do background work. The claims of a process that is no longer alive are free.
create table processes (
  id uuid primary key,
  -- By the clock of the database.
  alive_until timestamptz not null
);


-- idempotency -------------------------------------------------------------------------------------

-- Requests with an Idempotency-Key. A row without a status is a request that a server process handles
-- now; after `claimed_until` that process counts as dead.
create table idempotency_keys (
  organization_id bigint not null,
  -- Hash of user, method, path and key, so that its size is fixed.
  scope bytea not null,
  claim uuid not null,
  -- The claim ends with this process.
  claimed_by uuid,
  claimed_until timestamptz not null,
  expires_at timestamptz not null,
  -- Requests and answers may hold secrets. Of the request only a hash is sealed.
  sealed_request bytea not null,
  answer_status integer,
  sealed_answer bytea,
  primary key (organization_id, scope),
  -- An answer that was too large to keep has a status only.
  constraint idempotency_keys_answer check (sealed_answer is null or answer_status is not null)
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);


-- sealing -----------------------------------------------------------------------------------------

-- Each key that has sealed secrets, and a known text sealed by it. A start whose keys do not open
-- every proof has the wrong keys.
create table seal_proofs (
  key_id bytea primary key,
  proof bytea not null,
  created_at timestamptz not null default now()
);


-- users -------------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  -- The form by which addresses are compared. SQL can't compute it: lower() depends on the locale
  -- of the database.
  normal_email text not null,
  -- PHC string of argon2id.
  password_hash text not null,
  -- The current password was set by somebody else.
  must_change_password boolean not null default false,
  first_name text not null,
  last_name text not null,
  timezone_format text not null default 'UTC',
  timezone_id bigint not null default 1,
  -- The zone in which the user wants to read times; null for that of the browser.
  time_zone text,
  -- How the user wants to read numbers and times; absent members as the organization.
  formats jsonb not null default '{}',
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_normal_email on users (normal_email);


-- organizations -----------------------------------------------------------------------------------

-- A tenant is organization 1, each organization directly below it, and each without a parent. What is
-- below a tenant belongs to it.
create table organizations (
  id bigint generated always as identity primary key,
  parent_org_id bigint references organizations,
  -- The tenant's own is its id. A trigger sets it.
  tenant_id bigint not null references organizations,
  name text not null,
  address_line_1 text,
  address_line_2 text,
  logo text,
  owner_user_id bigint constraint organizations_owner references users,
  timezone_format text not null default 'UTC',
  timezone_id bigint not null default 1,
  country_id bigint,
  trial_ends_at date,
  is_demo_account boolean not null default false,
  -- Devices of this organization and all below it.
  device_limit integer not null default 100000 check (device_limit >= 0),
  -- Devices of this organization only. Raised before a device is inserted.
  device_count integer not null default 0 check (device_count >= 0),
  -- Organizations below this one; organization 1 may have any number.
  organization_limit integer not null default 1000 check (organization_limit >= 0),
  -- Requests in a minute of a tenant, all its members and keys together; null: the usual limit.
  request_limit integer check (request_limit > 0),
  -- Null: uplinks are kept for ever.
  uplink_retention_days integer check (uplink_retention_days between 7 and 36500),
  -- Hours without an uplink after which a device is silent whose usual interval is not known.
  verdict_window_hours integer not null default 48 check (verdict_window_hours between 1 and 8760),
  -- How members read numbers and times; absent members as `lora/formats.ts` has them.
  formats jsonb not null default '{}',
  -- Steps of the first hour that a member has passed over.
  passed_steps text[] not null default '{}' check (cardinality(passed_steps) <= 20),
  -- Members without two-factor authentication reach only its set-up.
  requires_two_factor boolean not null default false,
  -- Set while the organization is deleted: nothing is accepted for it.
  deletion_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index organizations_tenant on organizations (tenant_id);
create index organizations_parent on organizations (parent_org_id);
create index organizations_deletion on organizations (deletion_id) where deletion_id is not null;

-- Devices of an organization and all below it, for `device_limit`. Not in `organizations`, whose rows a
-- registration locks from its beginning to its end.
create table organization_totals (
  organization_id bigint primary key references organizations,
  device_count bigint not null default 0
);

-- Here, so that every way to make an organization places it right.
create function place_organization() returns trigger language plpgsql as $$
begin
  new.tenant_id := coalesce(
    (select tenant_id from organizations where id = new.parent_org_id and id <> 1), new.id
  );
  return new;
end
$$;
create trigger organizations_place before insert on organizations
  for each row execute function place_organization();

create function count_organization() returns trigger language plpgsql as $$
begin
  insert into organization_totals (organization_id) values (new.id) on conflict do nothing;
  return null;
end
$$;
create trigger organizations_count after insert on organizations
  for each row execute function count_organization();

-- Adds up the devices of an organization and of each above it, up to the tenant, and holds their limits.
-- Deferred to the commit, so that these rows are locked for that moment only. Locks go upward, so that
-- no two wait for each other.
create function count_devices() returns trigger language plpgsql as $$
declare
  change integer := new.device_count - old.device_count;
  place bigint := new.id;
begin
  loop
    update organization_totals as totals
    set device_count = totals.device_count + change
    where totals.organization_id = place
      and (change <= 0 or totals.device_count + change <= (
        select device_limit from organizations where id = place
      ));
    if not found then
      raise exception 'the device limit of organization % is reached', place
        using errcode = 'check_violation', constraint = 'organization_totals_limit';
    end if;
    exit when place = new.tenant_id;
    place := (select parent_org_id from organizations where id = place);
  end loop;
  return null;
end
$$;
create constraint trigger organizations_device_count
  after update of device_count on organizations
  deferrable initially deferred
  for each row
  when (old.device_count <> new.device_count)
  execute function count_devices();

-- Organizations that are deleted in the background, with all that is below them. Rows are kept for 30
-- days after the end.
create table organization_deletions (
  id bigint generated always as identity primary key,
  -- Without a reference: it is gone at the end.
  organization_id bigint not null,
  parent_org_id bigint references organizations on delete cascade,
  name text not null,
  -- Null: by the command.
  user_id bigint references users,
  state text not null check (state in ('removing', 'telling', 'leaving', 'deleting', 'done')),
  -- The organization whose devices are removed now; those before it have none.
  place bigint not null default 0,
  -- Until then networks are told; null until all is removed.
  told_until timestamptz,
  organizations integer not null,
  devices bigint not null,
  uplinks bigint not null,
  organizations_left integer not null,
  devices_left bigint not null,
  uplinks_left bigint not null,
  -- Devices, gateways, callbacks and sessions that the networks could not be told to forget.
  left_at_networks integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index organization_deletions_parent on organization_deletions (parent_org_id, id);
create index organization_deletions_open on organization_deletions (id) where state <> 'done';
alter table organizations add foreign key (deletion_id) references organization_deletions;

create table members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  -- Owners hold every permission, whatever the list says.
  is_owner boolean not null default false,
  permissions text[] not null default '{}',
  -- The group that the member is limited to, with those below it; null: all devices.
  group_id bigint,
  -- Sessions that began until then no longer reach this organization.
  sessions_ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

-- What a member wants the console to remember, as JSON. Text: jsonb refuses escaped NULs.
create table user_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  preferences text not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members on delete cascade
);

-- Users become members and owners only by accepting an invitation.
create table invitations (
  id bigint generated always as identity primary key,
  -- The organization that invites. For the owner of a new organization this is its parent.
  organization_id bigint not null references organizations,
  -- Name of the new organization; null for a membership.
  child_name text,
  -- The address may belong to no user yet.
  email text not null,
  normal_email text not null,
  permissions text[] not null default '{}',
  group_id bigint,
  invited_by bigint not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- SHA-256 of the code of its link; null as long as no link was made.
  link_hash bytea
);
create unique index invitations_link on invitations (link_hash);
create unique index invitations_once
  on invitations (organization_id, normal_email, child_name) nulls not distinct;
create index invitations_email on invitations (normal_email);
create index invitations_expires_at on invitations (expires_at);


-- sessions ----------------------------------------------------------------------------------------

-- One row per login. Refreshing replaces the token and keeps the row, so `created_at` is the login.
create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  refreshable_until timestamptz not null,
  ended_at timestamptz,
  last_used_at timestamptz not null default now(),
  address text,
  user_agent text,
  -- Of a session that began by single sign-on: how many factors the provider has checked.
  sign_on_factors smallint
);
create index sessions_user on sessions (user_id, id);
create index sessions_refreshable_until on sessions (refreshable_until);

-- Failed logins by account and address, counted over all server processes.
create table login_failures (
  -- A hash: people type passwords into the e-mail field.
  subject text primary key,
  -- Within the running window.
  failures integer not null,
  -- Since the last success.
  consecutive_failures integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz not null
);

-- Requests of a user to an organization in the running minute, over all server processes. Each
-- process adds its counts about once a second.
create table request_counts (
  subject text primary key,
  -- Milliseconds since 1970.
  started_at bigint not null,
  count bigint not null
);


-- two-factor --------------------------------------------------------------------------------------

create table two_factors (
  user_id bigint primary key references users,
  sealed_secret bytea not null,
  -- Time step of the last accepted code. Only codes of later steps are accepted.
  last_step bigint not null,
  enabled_at timestamptz not null
);

-- Keys with which a user proves a login instead of a code, by WebAuthn.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  name text not null,
  -- By which the browser finds the key.
  credential_id bytea not null unique,
  -- As COSE writes it.
  public_key bytea not null,
  -- Of the last signature, where the key counts them. A copy of the key has a lower one.
  counter bigint not null,
  -- How the browser reaches the key: internal, hybrid, usb and others.
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a passkey is to sign at a login that has passed the password or the sign-on. Each is good once.
create table passkey_challenges (
  -- Of the token of that login.
  token_hash bytea primary key,
  user_id bigint not null references users,
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id, expires_at);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- Codes of 120 random bits. Using one deletes its row.
create table recovery_codes (
  user_id bigint not null references users,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Tokens of /confirm-password-access, each good for one set-up or one removal, of codes or of a passkey.
create table two_factor_tokens (
  token_hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  -- The new secret of this set-up.
  sealed_secret bytea,
  -- Time step of the code that proved the secret, and the recovery codes shown with it.
  verified_step bigint,
  recovery_hashes bytea[],
  -- What the new passkey of this set-up is to sign.
  passkey_challenge text,
  check (sealed_secret is not null or verified_step is null),
  check (sealed_secret is null or passkey_challenge is null),
  check ((verified_step is null) = (recovery_hashes is null))
);
create index two_factor_tokens_session on two_factor_tokens (session_id);
create index two_factor_tokens_expires_at on two_factor_tokens (expires_at);


-- auth --------------------------------------------------------------------------------------------

-- Codes mailed to users who lost their password. Each works once.
create table password_resets (
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expires_at on password_resets (expires_at);


-- sign-on -----------------------------------------------------------------------------------------

-- Who a user is at an OpenID Connect provider.
create table sign_on_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users,
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create unique index sign_on_identities_user on sign_on_identities (user_id, issuer);


-- api keys ----------------------------------------------------------------------------------------

-- Programs act with an API key, for one organization, without the login of a person.
create table api_keys (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  permissions text[] not null,
  -- The devices in this group and below it are all that the key reaches.
  group_id bigint,
  -- Those with this tag: `key`, or `key:value`.
  tag text,
  -- Addresses and ranges that it is used from; any, if there are none.
  networks text[] not null default '{}',
  expires_at timestamptz,
  key_hash bytea not null,
  -- The last characters, by which people recognize it.
  key_end text not null,
  -- The key before the last rotation, which is valid until then.
  former_hash bytea,
  former_until timestamptz,
  created_by bigint not null references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  last_address text,
  last_user_agent text,
  primary key (organization_id, id)
);
create unique index api_keys_hash on api_keys (organization_id, key_hash);
create unique index api_keys_former_hash on api_keys (organization_id, former_hash)
  where former_hash is not null;


-- activity ----------------------------------------------------------------------------------------

-- What members of an organization have changed. Its newest 100,000 rows are kept, for a year. The
-- activities of an organization form a hash chain (docs/audit.md): a request stores its activity
-- without a position; the background gives it one, with its hash, in order.
create table activities (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  user_id bigint not null references users,
  -- As it was when the activity was chained.
  user_email text,
  -- The API key that made the change. Its name stays when the key is revoked.
  key_id bigint,
  key_name text,
  happened_at timestamptz not null,
  kind text not null,
  action text not null,
  subject text,
  name text,
  count integer,
  fields text[] not null default '{}',
  address text,
  operation text,
  -- Of a refused request, the answer.
  status smallint,
  position bigint,
  hash bytea,
  primary key (organization_id, id)
);
create index activities_happened_at on activities (happened_at);
create index activities_unchained on activities (organization_id, id) where position is null;
create unique index activities_position on activities (organization_id, position);

create table activity_chains (
  organization_id bigint primary key references organizations,
  -- The newest record of the chain, and the newest one that retention has removed. Only what
  -- `sealed_head` says of them counts: it also has their hashes.
  position bigint not null,
  removed_position bigint not null,
  sealed_head bytea not null,
  -- How far its records were sent to the operator's syslog server, and who sends them.
  told_position bigint not null default 0,
  told_turn_at timestamptz,
  told_by uuid,
  told_until timestamptz
);


-- inventory ---------------------------------------------------------------------------------------

-- A deleted gateway stays until its network has removed it, and as long as devices name it.
create table gateways (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  -- Part of the callback's address of a gateway of kind `other`: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  -- As registered, and in the form in which EUIs are compared.
  gateway_eui text not null,
  eui text not null generated always as (upper(gateway_eui)) stored,
  name text not null,
  -- What lists sort by (db/natural-order.ts).
  name_order text collate "C" not null generated always as (
    regexp_replace(regexp_replace(
      regexp_replace(normalize(lower(name), nfkd), '[\u0300-\u036f]', '', 'g'),
      '(\d+)', '000000000\1', 'g'), '0*(\d{10})', '\1', 'g')
  ) stored,
  network text not null,
  -- Whose account at the network: the organization's or the operator's. Accounts beyond the first have a
  -- name, as `user_account:north`.
  register_method text not null
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'),
  ip text,
  region text,
  -- Where it stands (docs/places.md).
  latitude double precision,
  longitude double precision,
  altitude double precision,
  place_source text,
  description text,
  -- Texts by a key, which its owner has chosen.
  tags jsonb not null default '{}',
  -- Further fields of its network, by the names of POST /gateways.
  settings jsonb not null default '{}',
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  -- When its network refused it last.
  refused_at timestamptz,
  -- Only of kind `other`: the token that the gateway sends.
  sealed_token bytea,
  token_hash bytea,
  -- Rotated tokens that are still valid: `hash` (hexadecimal), `until` (milliseconds since 1970).
  former_tokens jsonb not null default '[]',
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organization_id, id),
  constraint gateways_place check (
    (latitude is null) = (longitude is null) and (latitude is null) = (place_source is null)
    and (altitude is null or latitude is not null)
    and latitude between -90 and 90 and longitude between -180 and 180
    and place_source in ('typed', 'map', 'phone', 'network', 'sensor')
  )
);
-- A gateway EUI exists once per organization and network. After deletion it can be registered again.
create unique index gateways_eui on gateways (organization_id, network, eui)
  where deleted_at is null;
create index gateways_name on gateways (organization_id, name_order, id) where deleted_at is null;

-- Apart from `gateways`, because every uplink writes it: short rows are cheaper to rewrite.
create table gateway_states (
  organization_id bigint not null,
  gateway_id bigint not null,
  uplink_count bigint not null default 0,
  downlink_count bigint not null default 0,
  first_seen timestamptz,
  last_seen timestamptz,
  -- Where its network's messages last told that it stands.
  latitude double precision,
  longitude double precision,
  primary key (organization_id, gateway_id),
  foreign key (organization_id, gateway_id) references gateways
) with (fillfactor = 50);

-- The counters of each gateway at the beginning of each hour; their differences are its traffic.
-- Noted in the background, so that no uplink pays for it. Kept for some days.
create table gateway_hours (
  organization_id bigint not null,
  gateway_id bigint not null,
  hour timestamptz not null,
  uplink_count bigint not null,
  downlink_count bigint not null,
  primary key (organization_id, gateway_id, hour),
  foreign key (organization_id, gateway_id) references gateways on delete cascade
);
create index gateway_hours_hour on gateway_hours (hour);

-- When gateways were silent: from the last uplink before to the first one after. Kept for two years.
create table gateway_outages (
  organization_id bigint not null,
  gateway_id bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, gateway_id, began_at),
  foreign key (organization_id, gateway_id) references gateways on delete cascade
);
create unique index gateway_outages_present
  on gateway_outages (organization_id, gateway_id) where ended_at is null;
create index gateway_outages_ended on gateway_outages (ended_at) where ended_at is not null;

-- A deleted device stays, because its uplinks stay in the organization's history.
create table devices (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  -- As registered, and in the form in which EUIs are compared.
  device_eui text not null,
  eui text not null generated always as (upper(device_eui)) stored,
  join_eui text not null,
  -- Null when the device was adopted from a network that does not tell keys.
  sealed_key bytea,
  -- The second key, which LoRaWAN 1.1 and ABP need.
  sealed_network_key bytea,
  -- What its codec gets as `input.variables`: JSON, sealed, because it may hold tokens.
  sealed_variables bytea,
  name text not null,
  -- What lists sort by (db/natural-order.ts).
  name_order text collate "C" not null generated always as (
    regexp_replace(regexp_replace(
      regexp_replace(normalize(lower(name), nfkd), '[\u0300-\u036f]', '', 'g'),
      '(\d+)', '000000000\1', 'g'), '0*(\d{10})', '\1', 'g')
  ) stored,
  -- A built-in type or a row of `device_types`.
  type_id integer not null,
  network text not null,
  register_method text not null
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'),
  -- Where it is, too, or on its way to, while it moves to another network.
  other_network text,
  other_method text,
  -- The gateway that the device was registered with.
  gateway_id bigint,
  app_region text,
  frequency_plan text,
  -- The profile at the network, where it is not that of the account (docs/profiles.md).
  network_profile text,
  -- How it speaks LoRaWAN where it is not 1.0.x, OTAA and class A (docs/lorawan.md).
  radio jsonb,
  extra_notes text,
  -- Texts by a key, which its owner has chosen.
  tags jsonb not null default '{}',
  -- Where it is, unless a person has not said it and its sensor does: `device_states.status` (docs/places.md).
  latitude double precision,
  longitude double precision,
  altitude double precision,
  place_source text,
  is_console_only boolean not null default false,
  is_active boolean not null default true,
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  -- When its network refused it last.
  refused_at timestamptz,
  -- The network has refused the registration: what it has under the EUI is not ours to remove.
  is_refused boolean not null default false,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  commissioned_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, gateway_id) references gateways,
  constraint devices_place check (
    (latitude is null) = (longitude is null) and (latitude is null) = (place_source is null)
    and (altitude is null or latitude is not null)
    and latitude between -90 and 90 and longitude between -180 and 180
    and place_source in ('typed', 'map', 'phone', 'network', 'sensor')
  )
);
-- A DevEUI exists once per organization, so that registrations tell nothing about other
-- organizations. Through the operator's account at a network it exists once. Messages find their
-- devices by these two indexes.
create unique index devices_eui on devices (organization_id, eui) where deleted_at is null;
create unique index devices_vendor_eui on devices (network, eui)
  where register_method = 'vendor' and deleted_at is null;
-- Devices on their way to the operator's account, by the messages of its network.
create index devices_moving_vendor on devices (other_network, eui)
  where other_method = 'vendor' and deleted_at is null;
create index devices_organization on devices (organization_id, id) where deleted_at is null;
-- Deleted devices stay members of their groups.
create index devices_deleted on devices (organization_id, id) where deleted_at is not null;
-- A page by name reads this index instead of sorting 100,000 devices.
create index devices_name on devices (organization_id, name_order, id) where deleted_at is null;
-- Counts the types of a group without reading its devices.
create index devices_by_type on devices (organization_id, type_id, id) where deleted_at is null;
-- Counts the devices of each account.
create index devices_account on devices (organization_id, network, register_method, register_status)
  where deleted_at is null;
create index devices_inactive on devices (organization_id)
  where deleted_at is null and not is_active;
-- Those that their network does not have yet, or refused.
create index devices_unregistered on devices (organization_id, register_status)
  where deleted_at is null and register_status <> 'active';
-- For `GET /metrics`.
create index devices_network on devices (network, register_status) where deleted_at is null;

-- Apart from `devices`, because every uplink writes it: short rows are cheaper to rewrite.
create table device_states (
  organization_id bigint not null,
  device_id bigint not null,
  -- Also the device_ordinal of the latest uplink.
  uplink_count bigint not null default 0,
  -- The device_ordinal of the oldest uplink that is kept; one above the last where none is.
  first_ordinal bigint not null default 1,
  last_seen timestamptz,
  -- Known fields of device_status, and for each the event time of the frame that told it. `since` has the
  -- times from which on warnings are `Yes`.
  status jsonb not null default '{}',
  status_times jsonb not null default '{}',
  -- What lists and counts look for, in values that seldom change: an index of them leaves most updates
  -- of a state in place (docs/decisions/0031-rows-of-uplinks.md).
  -- The half day since 1970 in which the device was heard last; -1: never.
  seen_period integer not null default -1,
  battery_volts double precision,
  -- A sum: 1, its battery is low; 2, it was tampered with; 4, it could not apply its configuration.
  warnings smallint not null default 0,
  -- It has a row of `device_rhythms`.
  has_rhythm boolean not null default false,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id) references devices
) with (fillfactor = 50);
-- The order of last seen, and the devices that are silent.
create index device_states_seen on device_states (organization_id, seen_period);
-- The order of batteries.
create index device_states_battery on device_states (organization_id, battery_volts, device_id);
-- Devices that warn of something, which are few.
create index device_states_warned on device_states (organization_id) where warnings > 0;
-- Devices that were heard, and whose rhythm is not learnt yet.
create index device_states_unlearnt on device_states (organization_id)
  where seen_period >= 0 and not has_rhythm;

-- How often a device sends, learnt from its last uplinks in the background: no uplink writes it.
create table device_rhythms (
  organization_id bigint not null,
  device_id bigint not null,
  -- The median of its last intervals. Null, as the next two, after too few uplinks.
  interval_seconds double precision,
  -- Nine of ten intervals are shorter.
  long_seconds double precision,
  -- It is silent when it was not heard for longer.
  silent_seconds double precision,
  learnt_at timestamptz not null,
  -- Its uplinks at that time.
  learnt_count bigint not null,
  -- Not silent before, and time to look again. Later than is true never, earlier often.
  due_at timestamptz not null,
  primary key (organization_id, device_id)
) with (fillfactor = 70);
-- The devices that may be silent.
create index device_rhythms_due on device_rhythms (organization_id, due_at);


-- billing -----------------------------------------------------------------------------------------

-- What an organization agreed to pay. The bill follows from the devices themselves, so nothing here
-- changes when one comes or goes. Ended subscriptions stay.
create table subscriptions (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  -- A copy, so that later changes of BILLING_PLANS do not touch it.
  plan jsonb not null,
  customer jsonb not null,
  -- The plan's interval counts from this day: the end of the trial, or the day of the set-up.
  first_billing_on date not null,
  user_id bigint not null references users,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create unique index subscriptions_running on subscriptions (organization_id)
  where ended_at is null;


-- device-types ------------------------------------------------------------------------------------

-- Device types that organizations make themselves.
create table device_types (
  organization_id bigint not null references organizations,
  -- Begins far above the built-in types.
  id integer generated always as identity (start with 100000),
  type_name text not null,
  part_number text not null,
  payload_format text not null check (payload_format in ('ts013', 'cayenne_lpp')),
  -- JavaScript, as it was sent.
  codec text,
  -- Raised by every change of the codec: caches know it by id and revision.
  revision integer not null default 1,
  -- Frames and their expected results. json keeps the order of keys and odd characters.
  examples json not null default '[]',
  -- What the owner says of its measurements (sensors/own-measurements.ts).
  measurements jsonb not null default '[]',
  -- The model of a catalogue that it was made of (features/fleet/catalogue).
  catalogue jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  check ((payload_format = 'ts013') = (codec is not null))
);

-- Where an organization has models of devices from: an archive that was sent, or a repository (docs/catalogue.md).
create table catalogue_sources (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  kind text not null check (kind in ('zip', 'git')),
  url text check ((kind = 'git') = (url is not null)),
  -- A branch, a tag or a commit; null: the repository's own branch.
  ref text,
  -- Only what is in this folder is read.
  folder text,
  sealed_token bytea,
  -- The commit, or the hash of the archive.
  revision text,
  vendors integer not null default 0,
  models integer not null default 0,
  -- What could not be read of it.
  problems jsonb not null default '[]',
  fetched_at timestamptz,
  -- Why it could not be read last.
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

-- The models of these sources.
create table catalogue_models (
  organization_id bigint not null,
  source_id bigint not null,
  -- `<vendor>.<model>` as the files of the source are named.
  key text not null,
  vendor text not null,
  model text not null,
  -- In lower case: the names, and all that is searched.
  names text not null,
  searched text not null,
  regions text[] not null,
  -- As QR codes name them (LoRa Alliance TR005).
  profile_ids text[] not null,
  -- What lists show of it, and all of it (published/catalogue-entry.ts).
  shown jsonb not null,
  entry json not null,
  revision text not null,
  primary key (organization_id, source_id, key),
  foreign key (organization_id, source_id) references catalogue_sources on delete cascade
);

-- Stored frames that are decoded again: for each device type of an organization's own, the next uplink
-- of the organization to look at. A run begins with a frame whose codec had no time for it, or where
-- somebody asks for it, and ends with the latest uplink.
create table decoding_runs (
  organization_id bigint not null,
  type_id bigint not null,
  next_ordinal bigint not null,
  next_look_at timestamptz not null default now(),
  primary key (organization_id, type_id)
);


-- connections -------------------------------------------------------------------------------------

-- Accounts at networks. What the API, the callback and the broker report stands in columns of their
-- own, so that none overwrites another.
create table network_accounts (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  network text not null,
  register_method text not null
    check (register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'),
  -- Part of the callback's address: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  account_fields jsonb not null,
  sealed_secrets bytea not null,
  -- The profiles of new devices by device type, where they are not that of the account, as
  -- {"16": "profile"} (docs/profiles.md).
  device_profiles jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  -- The API: its state, failed calls in a row, and the pause that follows them.
  status text not null check (status in ('connected', 'unreachable', 'refused')),
  status_message text not null,
  -- Since when it is unreachable or refused.
  status_since timestamptz not null default now(),
  failures integer not null default 0,
  paused_until timestamptz,

  -- The pace, once the network asked to slow down; all processes take turns. Null: no limit known.
  call_interval_ms double precision,
  -- The first turn that is free.
  next_call_at timestamptz,
  -- When the network last asked to slow down, or a quicker pace was last tried.
  slowed_at timestamptz,

  -- The callback: its secret, which every message carries, and rotated ones that are still valid:
  -- `hash` (hexadecimal) and `until` (milliseconds since 1970).
  sealed_callback_secret bytea not null,
  callback_hash bytea not null,
  former_callbacks jsonb not null default '[]',
  -- Why the callback is not entered at the network; empty when nothing is wrong.
  callback_message text not null default '',
  -- The last uplink that came by callback, to about ten seconds.
  callback_heard_at timestamptz,
  -- The network may hold the callback at the place that the account's values name.
  is_callback_entered boolean not null default false,
  -- The checks of the callback at the network.
  next_callback_check_at timestamptz not null default now(),
  callback_checked_at timestamptz,
  -- Times of the repairs of the last day, in milliseconds since 1970.
  callback_repairs jsonb not null default '[]',
  -- The callback was changed too often: no more repairs until the account is entered again.
  is_callback_left boolean not null default false,

  -- The MQTT broker: the process that follows it.
  subscriber text,
  -- The client id derives from it. Another broker, user or topic gets a new one.
  broker_session uuid not null default gen_random_uuid(),
  -- Why the broker is not followed; empty while it is, null until it was tried.
  broker_message text,
  -- Since when it is not.
  broker_since timestamptz,
  -- The last uplink that came by MQTT, to about ten seconds.
  broker_heard_at timestamptz,

  -- Members of its messages that could not be used, by name: how often, and the last example. The names
  -- are those that are read, so there are few.
  unread_members jsonb not null default '{}',

  -- The next reconciliation; spread over a day.
  next_comparison_at timestamptz not null default now() + random() * interval '1 day',

  unique (organization_id, id),
  unique (organization_id, network, register_method)
);
-- The operator has one account at each network.
create unique index network_accounts_vendor on network_accounts (network)
  where register_method = 'vendor';
create index network_accounts_next_comparison on network_accounts (next_comparison_at);


-- groups ------------------------------------------------------------------------------------------

-- Changes of the shape of an organization's trees lock its row here first, so that two moves at the
-- same time can't close a circle. A row and not an advisory lock, because on a cluster of servers
-- two clients may hold the same advisory lock.
create table group_trees (
  organization_id bigint primary key references organizations
);

create table device_groups (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  parent_id bigint check (parent_id <> id),
  name text not null,
  -- Whether a console shows the group unfolded.
  is_open boolean not null default true,
  -- Of a site.
  address text,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, parent_id) references device_groups
);
create index device_groups_parent on device_groups (organization_id, parent_id);

-- Rows of deleted devices stay; readers leave them out.
create table grouped_devices (
  organization_id bigint not null,
  group_id bigint not null,
  device_id bigint not null,
  added_at timestamptz not null default now(),
  primary key (organization_id, group_id, device_id),
  foreign key (organization_id, device_id) references devices,
  foreign key (organization_id, group_id) references device_groups on delete cascade
);
create index grouped_devices_device on grouped_devices (organization_id, device_id);

-- Floor plans of groups: a picture without anything but its pixels or lines (features/fleet/pictures).
create table floor_plans (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  group_id bigint not null,
  name text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/svg+xml')),
  width double precision not null,
  height double precision not null,
  image bytea not null,
  -- Counts the images: browsers keep one until the next.
  revision integer not null default 1,
  user_id bigint not null references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, group_id) references device_groups on delete cascade
);
create index floor_plans_group on floor_plans (organization_id, group_id);

-- Where devices and gateways are on a plan: parts of its width and height, from the left and from the top.
create table plan_positions (
  organization_id bigint not null,
  plan_id bigint not null,
  device_id bigint not null,
  x double precision not null check (x between 0 and 1),
  y double precision not null check (y between 0 and 1),
  primary key (organization_id, plan_id, device_id),
  foreign key (organization_id, plan_id) references floor_plans on delete cascade,
  foreign key (organization_id, device_id) references devices on delete cascade
);
create index plan_positions_device on plan_positions (organization_id, device_id);

create table plan_gateways (
  organization_id bigint not null,
  plan_id bigint not null,
  gateway_id bigint not null,
  x double precision not null check (x between 0 and 1),
  y double precision not null check (y between 0 and 1),
  primary key (organization_id, plan_id, gateway_id),
  foreign key (organization_id, plan_id) references floor_plans on delete cascade,
  foreign key (organization_id, gateway_id) references gateways on delete cascade
);
create index plan_gateways_gateway on plan_gateways (organization_id, gateway_id);

-- Photos of devices, whose notes of the camera are taken out (features/fleet/pictures).
create table device_photos (
  organization_id bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  caption text,
  type text not null check (type in ('image/png', 'image/jpeg')),
  width integer not null,
  height integer not null,
  image bytea not null,
  -- The same in small, as JPEG, if the sender has made one.
  thumbnail bytea,
  user_id bigint not null references users,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, device_id) references devices on delete cascade
);
create index device_photos_device on device_photos (organization_id, device_id);

-- What somebody noted at a point in time, about one of three (features/fleet/notes).
create table notes (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  device_id bigint,
  gateway_id bigint,
  group_id bigint,
  at timestamptz not null,
  text text not null,
  user_id bigint not null references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, device_id) references devices on delete cascade,
  foreign key (organization_id, gateway_id) references gateways on delete cascade,
  foreign key (organization_id, group_id) references device_groups on delete cascade,
  check (num_nonnulls(device_id, gateway_id, group_id) = 1)
);
create index notes_time on notes (organization_id, at);
create index notes_device on notes (organization_id, device_id);
create index notes_gateway on notes (organization_id, gateway_id);
create index notes_group on notes (organization_id, group_id);


-- provisioning ------------------------------------------------------------------------------------

-- The outbox of registrations: one row per call that a network must receive, in the order of ids
-- for each EUI. A row is deleted when the network has done or refused it.
create table provisioning (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  device_id bigint,
  gateway_id bigint,
  eui text not null,
  action text not null check (action in ('add', 'rename', 'remove')),
  -- Set where the call is a step of a move: its outcome concerns the move, not the device.
  move_id bigint,
  -- Whether a person asked to replace the key that the network may have.
  replaces_key boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- The process that makes the call (null when it shows no sign of life), and until when.
  claimed_by uuid,
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  constraint provisioning_target check (num_nonnulls(device_id, gateway_id) = 1),
  foreign key (organization_id, device_id) references devices,
  foreign key (organization_id, gateway_id) references gateways
);
create index provisioning_eui on provisioning (network, eui, id);
create index provisioning_device on provisioning (device_id);
create index provisioning_gateway on provisioning (gateway_id) where gateway_id is not null;
-- A lane is the work of one organization through one account. It is found without reading the work
-- of others.
create index provisioning_lane on provisioning
  (network, register_method, organization_id, next_attempt_at, id);
create index provisioning_claimed on provisioning (network, register_method, organization_id)
  where claimed_until is not null;


-- moves -------------------------------------------------------------------------------------------

-- A device moves from one network to another (docs/decisions/0037-moves.md). While it does, it is
-- also at `other_network`, or on its way there; `network` is where it was until the move is done.
create table device_moves (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  device_id bigint not null,
  user_id bigint not null references users,
  from_network text not null,
  from_method text not null,
  to_network text not null,
  to_method text not null,
  gateway_id bigint,
  app_region text,
  frequency_plan text,
  -- A hash of the name and key that the device had when the move began.
  stamp text not null,
  -- The key of the request, until the move is over. The device keeps its own until it is done.
  sealed_key bytea,
  state text not null check (state in (
    'preparing', 'waiting', 'completing', 'putting_back', 'done', 'expired', 'cancelled', 'failed'
  )),
  -- How it ends once the device is put back.
  ending text check (ending in ('expired', 'cancelled', 'failed')),
  message text,
  steps jsonb not null default '[]',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the next step is due without a call that ends; null where such a call is awaited.
  due_at timestamptz,
  heard_at timestamptz,
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, device_id) references devices
);
-- One move of a device at a time.
create unique index device_moves_open on device_moves (organization_id, device_id)
  where finished_at is null;
create index device_moves_of_device on device_moves (organization_id, device_id, id);
create index device_moves_due on device_moves (due_at) where due_at is not null;
create index device_moves_calls on device_moves (id)
  where state in ('preparing', 'completing', 'putting_back');


-- downlinks ---------------------------------------------------------------------------------------

-- One row for each device that ever had a downlink. Every change of the device's downlinks locks
-- this row first, and only the holder of its claim speaks with the network about the device's
-- queue, so that all events of one device have one order.
create table downlink_queues (
  organization_id bigint not null,
  device_id bigint not null,
  network text not null,
  register_method text not null,
  -- When the oldest queued downlink is to be handed over; null when none is queued.
  next_attempt_at timestamptz,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  -- When the network's queue was last compared with ours.
  checked_at timestamptz,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id) references devices
) with (fillfactor = 50);
-- For requests that know the device only.
create unique index downlink_queues_device on downlink_queues (device_id);
create index downlink_queues_lane on downlink_queues
  (network, register_method, organization_id, next_attempt_at, device_id)
  where next_attempt_at is not null;
create index downlink_queues_claimed on downlink_queues (network, register_method, organization_id)
  where claimed_until is not null;

create table downlinks (
  organization_id bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  user_id bigint not null references users,
  -- `raw`: the bytes that a user gives.
  section text not null check (section in ('sensor', 'general', 'advanced', 'raw')),
  -- The values in units, by field id. For a codec: `codec_data`, the JSON text that it was given,
  -- and `codec_warnings`.
  field_values jsonb not null,
  -- At most as long as a LoRaWAN frame.
  payload bytea not null check (length(payload) between 1 and 242),
  f_port integer not null check (f_port between 1 and 223),
  is_confirmed boolean not null default false,
  -- queued: here. handed_over: in the network's queue. sent: on its way to the device.
  state text not null default 'queued' check (
    state in (
      'queued', 'handed_over', 'sent', 'acknowledged', 'rejected', 'failed', 'cancelled', 'expired'
    )
  ),
  -- The network's id of the last hand-over.
  queue_item_id text,
  attempts integer not null default 0,
  -- The outcome of a hand-over is unknown: the network may hold the downlink.
  is_uncertain boolean not null default false,
  last_error text,
  created_at timestamptz not null default now(),
  -- When a downlink that is still queued here becomes expired; null for never.
  expires_at timestamptz,
  handed_over_at timestamptz,
  sent_at timestamptz,
  closed_at timestamptz,
  -- When the downlink was first found missing from the network's queue.
  missing_since timestamptz,
  -- Until then a cancel is under way. A process that stops meanwhile leaves it.
  cancelling_until timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, device_id) references devices
);
-- The downlinks of a device, and those of an organization that wait or went wrong.
create index downlinks_device on downlinks (organization_id, device_id, id);
create index downlinks_noted on downlinks (organization_id, state, id)
  where state in ('queued', 'handed_over', 'rejected', 'failed');
create index downlinks_expired on downlinks (organization_id, id) where state = 'expired';
create index downlinks_expiring on downlinks (expires_at)
  where state = 'queued' and not is_uncertain and expires_at is not null;
create index downlinks_open on downlinks (organization_id, device_id, id)
  where state in ('queued', 'handed_over', 'sent');
create index downlinks_handed_over on downlinks (organization_id, device_id)
  where state = 'handed_over';
-- For `GET /metrics`. `downlinks_open` keeps the downlinks of codecs that no sensor acknowledges.
create index downlinks_waiting on downlinks (state) where state in ('queued', 'handed_over');
create index downlinks_unanswered on downlinks (sent_at) where state = 'sent' and closed_at is null;
-- Failed for lack of a report, which may still come.
create index downlinks_unreported on downlinks (organization_id, device_id, id)
  where state = 'failed' and is_uncertain;
create index downlinks_queue_item on downlinks (organization_id, device_id, queue_item_id);
-- For networks that report a downlink by its id only.
create index downlinks_item on downlinks (queue_item_id, organization_id)
  where queue_item_id is not null;
-- Downlinks are deleted a year after their end.
create index downlinks_closed on downlinks (closed_at) where closed_at is not null;

-- Rows are added and never changed.
create table downlink_history (
  organization_id bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  downlink_id bigint not null,
  event_name text not null check (
    event_name in (
      'event_created', 'event_sent', 'event_acknowledged', 'event_rejected', 'event_failed',
      'event_cancelled', 'event_expired'
    )
  ),
  -- In the words of the network or the sensor.
  reason text,
  -- By the clock of the database, which all server processes share.
  published_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index downlink_history_device on downlink_history (organization_id, device_id, id);
create index downlink_history_downlink on downlink_history (organization_id, downlink_id);

-- Devices whose queue at the network is to be compared with ours: a downlink may have been taken out
-- there, or dropped when the device joined.
create table downlink_checks (
  organization_id bigint not null,
  device_id bigint not null,
  network text not null,
  register_method text not null,
  next_attempt_at timestamptz not null,
  claimed_until timestamptz,
  primary key (organization_id, device_id),
  foreign key (organization_id, device_id) references devices
);
create index downlink_checks_due on downlink_checks (next_attempt_at);
create index downlink_checks_lane on downlink_checks
  (network, register_method, organization_id, next_attempt_at);


-- uplinks -----------------------------------------------------------------------------------------

-- Writers of uplinks lock the row of their organization first, so that ordinals have no gaps.
create table organization_counters (
  organization_id bigint primary key references organizations,
  -- Also the ordinal of the latest uplink.
  uplink_count bigint not null default 0,
  -- The ordinal of the oldest uplink that is kept; one above the last where none is.
  first_ordinal bigint not null default 1,
  quarantine_count bigint not null default 0,
  quarantine_bytes bigint not null default 0
) with (fillfactor = 50);

-- What the sensors say. A codec says DECODED; UNKNOWN is a frame that nothing could read.
create type uplink_event as enum (
  'UNKNOWN', 'DECODED', 'RESET', 'SUPERVISOR', 'TAMPER', 'DEVICE_INFO', 'LINK_QUALITY',
  'RATE_LIMIT_EXCEEDED', 'CURRENT_SENSOR_STATE', 'TEST_MODE_EXIT', 'DOWNLINK', 'DOOR_SENSOR',
  'GLASS_BREAK_EVENT', 'PUSH_BUTTON', 'CONTACT_SENSOR', 'WATER_SENSOR', 'TEMPERATURE_EVENT',
  'TILT_EVENT', 'AMBIENT_LIGHT_SENSOR', 'TANK_LEVEL_SENSOR', 'AIR_TEMP_HUMIDITY_SENSOR',
  'ACCELERATION_MOVEMENT_SENSOR', 'HIGH_PRECISION_TILT_SENSOR', 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  'WIRELESS_420MA_CURRENT_LOOP_SENSOR', 'THERMOCOUPLE_TEMP_SENSOR', 'VOLTAGE_SENSOR', 'GPS_SENSOR',
  'HONEYWELL_5800', 'MAGNETOMETER_SENSOR', 'INTERNAL_TEMPERATURE', 'COMPASS_SENSOR',
  'WEATHER_STATION_SENSOR', 'HIGH_BANDWIDTH_VIBRATION_SENSOR', 'VIBRATION_CONDENSED_FFT',
  'VIBRATION_CONDENSED_FFT_PART', 'VIBRATION_CONDENSED_FFT_ENERGY',
  'VIBRATION_CONDENSED_FFT_ENERGY_PART'
);

-- Numbered without gaps within the organization and within the device, so that a list knows its
-- exact total and reads any page as one index range. Without foreign keys: the writer takes both ids
-- from rows that it holds, and each check would cost a look-up per uplink.
create table uplinks (
  organization_id bigint not null,
  ordinal bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  device_ordinal bigint not null,
  -- Of the network's message: the same uplink comes again with the same key.
  deduplication_key text not null,
  event_time timestamptz not null,
  received_at timestamptz not null default now(),
  event_type uplink_event not null,
  -- The packet counters of its frames.
  sensor_sequence integer[] not null,
  decoded_object jsonb not null,
  -- Null where a built-in decoder makes it from the payload
  -- (docs/decisions/0031-rows-of-uplinks.md).
  decoded_message text,
  payload bytea not null,
  f_port integer not null,
  f_cnt bigint not null,
  -- Of the gateway with the best SNR; dBm, dB, degrees.
  rssi integer,
  snr double precision,
  latitude double precision,
  longitude double precision,
  data_rate text,
  -- Hz, in the range that answers can hold.
  frequency bigint check (frequency between 1 and 4294967295),
  -- The gateways that heard it, best SNR first: [["EUI", rssi, snr, latitude, longitude], ...].
  receptions jsonb not null,
  primary key (organization_id, ordinal)
);
-- Pages of a device. No two of its uplinks share an ordinal.
create unique index uplinks_device on uplinks (organization_id, device_id, device_ordinal);
-- Finds repeats, and the uplinks of a device by their time: windows of six hours with the device, 24 bits
-- of a hash of the key, and the second within the window (docs/decisions/0031-rows-of-uplinks.md).
create index uplinks_window on uplinks (
  ((floor(date_part('epoch', event_time at time zone 'UTC') / 21600)::bigint << 40) | device_id),
  (hashtext(deduplication_key) & 16777215),
  ((floor(date_part('epoch', event_time at time zone 'UTC'))
    - floor(date_part('epoch', event_time at time zone 'UTC') / 21600) * 21600)::integer)
);

-- Parts of messages that take several frames: the spectrum of a vibration sensor, the packets of a
-- device info. Only devices that send such frames have a row.
create table frame_memories (
  organization_id bigint not null,
  device_id bigint not null,
  -- Lists of parts by group, a few kilobytes at most.
  memory jsonb not null,
  primary key (organization_id, device_id)
) with (fillfactor = 50);

-- The numbers of `decoded_object` by device, name and hour (UTC), so that long ranges are read without
-- their uplinks. Made behind ingest, from the uplinks up to the cursor; readers add those above it.
create table rollup_cursors (
  organization_id bigint primary key references organizations,
  uplink_ordinal bigint not null default 0
) with (fillfactor = 50);

-- Hours whose uplinks changed below the cursor: some were deleted, or decoded again. `-infinity` stands
-- for all hours of a device, whose type says something else of its states now.
create table rollup_changes (
  organization_id bigint not null,
  device_id bigint not null,
  hour timestamptz not null,
  primary key (organization_id, device_id, hour)
);

create table hourly_rollups (
  organization_id bigint not null,
  device_id bigint not null,
  name text collate "C" not null,
  start timestamptz not null,
  count integer not null,
  -- Exact, and without overflow.
  sum numeric not null,
  lowest double precision not null,
  highest double precision not null,
  last double precision not null,
  last_at timestamptz not null,
  primary key (organization_id, device_id, name, start)
) with (fillfactor = 90);

-- The same by day (UTC), made of the hours.
create table daily_rollups (
  like hourly_rollups,
  primary key (organization_id, device_id, name, start)
) with (fillfactor = 90);

-- What uplinks said of the states of a device, such as a door, by day (UTC).
create table daily_states (
  organization_id bigint not null,
  device_id bigint not null,
  day timestamptz not null,
  name text collate "C" not null,
  -- By the hours in which it was heard, as `StoredHour` of uplinks/rollups/state-times.ts.
  hours jsonb not null,
  primary key (organization_id, device_id, day, name)
) with (fillfactor = 70);

-- Received messages that are no device's uplink.
create table quarantined_messages (
  organization_id bigint not null,
  id bigint generated always as identity,
  network_account_id bigint not null,
  reason text not null check (reason in ('unknown_device', 'not_storable')),
  detail text not null,
  device_eui text not null,
  deduplication_key text not null,
  message bytea not null,
  -- Of an unknown device: the uplink as JSON, by which it can be stored later.
  uplink text,
  -- The device is known now, and the uplink is to be stored.
  is_released boolean not null default false,
  received_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, network_account_id, device_eui, deduplication_key)
);
create index quarantined_messages_received_at on quarantined_messages (received_at);
create index quarantined_messages_released on quarantined_messages (id) where is_released;


-- callbacks ---------------------------------------------------------------------------------------

-- Joins, reports of status and logs, and what became of downlinks, as networks report them.
create table network_events (
  organization_id bigint not null,
  id bigint generated always as identity,
  network_account_id bigint not null,
  device_id bigint not null,
  kind text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  deduplication_key text not null,
  details jsonb not null,
  primary key (organization_id, id),
  unique (organization_id, device_id, network_account_id, kind, deduplication_key)
);
create index network_events_device on network_events (organization_id, device_id, id);
create index network_events_received_at on network_events (received_at);
-- For events that come before the hand-over that they report is stored.
create index network_events_queue_item
  on network_events (organization_id, device_id, (details ->> 'queue_item_id'))
  where details ->> 'queue_item_id' is not null;


-- brokers -----------------------------------------------------------------------------------------

-- Sessions at brokers that no account uses any more. A broker keeps messages for a session until it
-- is ended.
create table ending_broker_sessions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  network text not null,
  broker_session uuid not null,
  -- The account's values with which the session was made.
  sealed_values bytea not null,
  -- The process that followed it, and that closes its connection first.
  subscriber text,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  tries integer not null default 0
);
create index ending_broker_sessions_next_try on ending_broker_sessions (next_try_at);
create index ending_broker_sessions_organization on ending_broker_sessions (organization_id);


-- network-accounts --------------------------------------------------------------------------------

-- Callbacks to be removed from networks: the account was changed or deleted.
create table callback_withdrawals (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  account_id bigint not null,
  network text not null,
  -- Where the callback stands. An account that returns to the place keeps its callback.
  place text not null,
  -- The account's values there, and the callback.
  sealed_callback bytea not null,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  tries integer not null default 0
);
create index callback_withdrawals_account on callback_withdrawals (account_id);
create index callback_withdrawals_next_try on callback_withdrawals (next_try_at);


-- reconciliation ----------------------------------------------------------------------------------

-- The last comparison of each account with its network.
create table reconciliations (
  organization_id bigint not null,
  network_account_id bigint not null,
  -- Null until one comparison was completed.
  compared_at timestamptz,
  -- Why the last attempt failed; empty when it was completed.
  failure text not null,
  -- What the network does not show to the account.
  left_out jsonb not null default '[]',
  -- EUI of the last device whose details were asked for; empty to begin again.
  details_read_to text not null default '',
  primary key (organization_id, network_account_id),
  foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade
);

-- The differences that it found and that are still open.
create table reconciliation_differences (
  organization_id bigint not null,
  network_account_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  difference text not null check (
    difference in (
      'only_at_network', 'only_here', 'name_differs', 'key_differs', 'join_eui_differs',
      'lorawan_differs', 'incomplete'
    )
  ),
  name_here text,
  name_there text,
  -- Another organization or another account has registered it.
  is_taken boolean not null,
  -- What is wrong, in words; null where the difference says it all.
  problem text,
  primary key (organization_id, network_account_id, eui, kind),
  foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade
);

-- Differences that the account's owner has chosen to ignore.
create table reconciliation_ignores (
  organization_id bigint not null,
  network_account_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  primary key (organization_id, network_account_id, eui, kind),
  foreign key (organization_id, network_account_id)
    references network_accounts (organization_id, id) on delete cascade
);


-- jobs --------------------------------------------------------------------------------------------

-- Long work on many devices, done in the background, with a result for every row.
create table jobs (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Who gave it; its rights are checked again for every portion.
  user_id bigint not null references users,
  kind text not null check (
    kind in (
      'register', 'rename', 'move', 'configure', 'delete', 'change', 'change_network', 'take_over'
    )
  ),
  -- `receiving`: further rows are to come.
  state text not null check (state in ('receiving', 'queued', 'running', 'done', 'cancelled')),
  is_dry_run boolean not null,
  -- In the words of the client, such as the name of a file.
  title text,
  settings jsonb not null,
  -- Why it was cancelled, or what it waits for.
  message text,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The last portion: the jobs of a tenant take turns. Before a time to come it has no turn.
  worked_at timestamptz,
  -- Since when the network of a take-over could not be read.
  waits_since timestamptz,
  unique (organization_id, id)
);
create index jobs_open on jobs (worked_at nulls first, id) where state in ('queued', 'running');
create index jobs_created_at on jobs (created_at);

create table job_rows (
  organization_id bigint not null,
  job_id bigint not null,
  -- From 1, in the order in which they were sent.
  number integer not null,
  state text not null check (state in ('waiting', 'done', 'failed', 'cancelled')),
  -- Normalized; null where the row has none that can be read.
  eui text,
  -- As it was sent, without secrets.
  input jsonb not null,
  -- The device key, until the row is done.
  sealed_secret bytea,
  message text,
  device_id bigint,
  primary key (organization_id, job_id, number),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);
create index job_rows_waiting on job_rows (job_id, number) where state = 'waiting';
create index job_rows_failed on job_rows (job_id, number) where state = 'failed';
-- Secrets of jobs that are over are removed by it.
create index job_rows_secret on job_rows (job_id) where sealed_secret is not null;
-- Finds the rows of a dry run that name the same device.
create index job_rows_eui on job_rows (job_id, eui, number);


-- webhooks ----------------------------------------------------------------------------------------

-- Webhooks of organizations: what is sent to their own servers. Uplinks are sent as a cursor per
-- webhook goes through the stored ones, so ingest writes nothing here.
create table webhooks (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  url text not null,
  events text[] not null,
  group_id bigint,
  type_id integer,
  network text,
  -- `key`, or `key:value`.
  tag text,
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  -- Why it is disabled.
  state_message text,
  -- How messages are published where the address is an MQTT broker, and the secrets of its login; null
  -- for all others.
  mqtt jsonb,
  sealed_login bytea,
  -- When announcements are next compared with the devices; null while there are none.
  announcements_due_at timestamptz,
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs too until then.
  sealed_former_secret bytea,
  former_until timestamptz,
  -- Uplinks up to this ordinal are delivered, or have a row in webhook_deliveries.
  uplink_ordinal bigint not null,
  -- A replay goes on behind the first, up to the second.
  replay_ordinal bigint,
  replay_until bigint,
  -- Failed attempts since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before, because the receiver fails.
  next_attempt_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
) with (fillfactor = 50);

-- What a cursor cannot find again: uplinks that failed or wait behind one, and all other events.
create table webhook_deliveries (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  kind text not null,
  -- Of an uplink; all other events have data.
  ordinal bigint,
  data jsonb,
  happened_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  first_failed_at timestamptz,
  next_attempt_at timestamptz not null,
  last_failure text,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  check ((ordinal is null) = (data is not null))
);
create unique index webhook_deliveries_ordinal
  on webhook_deliveries (organization_id, webhook_id, ordinal) where ordinal is not null;
create index webhook_deliveries_device
  on webhook_deliveries (organization_id, webhook_id, device_id, id) where state = 'waiting';
create index webhook_deliveries_due
  on webhook_deliveries (organization_id, webhook_id, next_attempt_at) where state = 'waiting';
create index webhook_deliveries_happened
  on webhook_deliveries (organization_id, webhook_id, happened_at);

-- Each attempt, for people who look why nothing comes.
create table webhook_attempts (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  device_id bigint,
  ordinal bigint,
  delivery_id bigint,
  attempted_at timestamptz not null,
  is_delivered boolean not null,
  -- None where the receiver did not answer.
  status integer,
  duration_ms integer not null,
  answer text,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);
create index webhook_attempts_ordinal
  on webhook_attempts (organization_id, ordinal) where ordinal is not null;
create index webhook_attempts_failed
  on webhook_attempts (organization_id, webhook_id, id) where not is_delivered;

-- What was announced to Home Assistant at a broker (docs/home-assistant.md), so that it is said again
-- when it has changed, and taken back when the device is gone.
create table webhook_announcements (
  organization_id bigint not null,
  webhook_id bigint not null,
  -- Where the announcement is retained.
  topic text not null,
  device_id bigint not null,
  type_id integer not null,
  -- Platform and name of each, such as `sensor temperature`.
  components text[] not null,
  -- Of the announcement; null where it is to be sent again.
  digest text,
  primary key (organization_id, webhook_id, topic),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);


-- dashboards --------------------------------------------------------------------------------------

create table dashboards (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  description text,
  -- Shown to the one who made it only, until that person is no member any more.
  is_private boolean not null,
  -- What is chosen while it is looked at: a group or a device, and the choice at first.
  variable jsonb,
  range text not null,
  -- In the order of the request, each as it was sent.
  widgets jsonb not null,
  -- Counts the changes: nobody overwrites what they have not seen.
  revision integer not null default 1,
  user_id bigint not null references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- It can be restored for some days.
  deleted_at timestamptz,
  primary key (organization_id, id)
);

-- Addresses that show dashboards without a login.
create table dashboard_links (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  -- Shown in turn.
  dashboard_ids bigint[] not null,
  rotate_seconds integer not null,
  -- SHA-256 of 256 random bits, which only the address has.
  token_hash bytea not null,
  -- As that of a user.
  password_hash text,
  -- Sites that may show it in a frame.
  hosts text[] not null,
  expires_at timestamptz,
  user_id bigint not null references users,
  created_at timestamptz not null,
  -- To the hour.
  last_used_at timestamptz,
  primary key (organization_id, id)
);
create unique index dashboard_links_token on dashboard_links (token_hash);

-- alerts ------------------------------------------------------------------------------------------

-- Rules of organizations, what they have found, and the mails about it. Uplinks are read by a cursor, so
-- ingest writes nothing here.

-- One for each organization that ever had a rule: how far its uplinks are looked through.
create table alert_watches (
  organization_id bigint primary key references organizations,
  uplink_ordinal bigint not null,
  -- Whether one of the rules looks at uplinks at all.
  reads_uplinks boolean not null,
  -- When silence, and all else that no uplink tells, is looked for next.
  next_look_at timestamptz not null,
  -- When channels are told of what was found just now.
  next_tell_at timestamptz,
  -- When some process last began to look.
  turn_at timestamptz not null default 'epoch',
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz
) with (fillfactor = 50);

create table alert_rules (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  kind text not null check (kind in (
    'device_silent', 'gateway_silent', 'gateway_uptime', 'low_battery', 'tamper', 'threshold', 'condition',
    'registration_error'
  )),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  device_id bigint,
  group_id bigint,
  type_id integer,
  network text,
  -- `key`, or `key:value`.
  tag text,
  settings jsonb not null,
  -- What is done when an alert opens or closes, how often in an hour at most, and who has said so.
  actions jsonb not null default '[]',
  actions_per_hour integer not null default 10,
  actions_by bigint references users,
  -- Users who get mails, as long as they are members.
  recipients bigint[] not null,
  tells_back boolean not null,
  is_active boolean not null,
  muted_until timestamptz,
  -- The last digest: the next one waits for some minutes.
  digested_at timestamptz,
  user_id bigint not null references users,
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
  -- `dismissed`: a member has closed it, and its cause lasts. Until that ends, no other one opens.
  state text not null check (state in ('pending', 'open', 'dismissed', 'closed')),
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
  -- The silent gateway that was the only one to hear the device.
  cause_gateway_id bigint,
  told_at timestamptz,
  digest_id bigint,
  back_told_at timestamptz,
  back_digest_id bigint,
  acknowledged_at timestamptz,
  acknowledged_by bigint,
  assigned_to bigint,
  -- Nobody is reminded of it before.
  snoozed_until timestamptz,
  closed_by bigint,
  -- Of members, the oldest first: { text, at, by }.
  notes jsonb not null default '[]',
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
create index alerts_open_device on alerts (organization_id, device_id) where state = 'open';
create index alerts_device on alerts (organization_id, device_id, rule_id, id);
create index alerts_gateway on alerts (organization_id, gateway_id, id)
  where gateway_id is not null;
create index alerts_rule on alerts (organization_id, rule_id, id);
create index alerts_told on alerts (organization_id, told_at) where told_at is not null;
create index alerts_back_told on alerts (organization_id, back_told_at)
  where back_told_at is not null;
create index alerts_untold on alerts (organization_id) where state = 'open' and told_at is null;
create index alerts_back_untold
  on alerts (organization_id)
  where state in ('dismissed', 'closed') and told_at is not null and back_told_at is null;
create index alerts_snoozed on alerts (organization_id, snoozed_until)
  where state = 'open' and snoozed_until is not null;
create index alerts_digest on alerts (organization_id, digest_id) where digest_id is not null;
create index alerts_back_digest
  on alerts (organization_id, back_digest_id) where back_digest_id is not null;
create index alerts_cause on alerts (organization_id, rule_id, cause_gateway_id)
  where state = 'open' and cause_gateway_id is not null;
create index alerts_closed on alerts (organization_id, closed_at) where closed_at is not null;

-- What rules did about alerts. An action is done once when an alert opens, or closes.
create table alert_actions (
  organization_id bigint not null,
  alert_id bigint not null,
  -- The place of the action in its rule, from 0.
  place integer not null,
  at text not null check (at in ('open', 'close')),
  rule_id bigint not null,
  type text not null check (type in ('downlink', 'webhook')),
  -- `limited`: there were too many within an hour.
  state text not null check (state in ('done', 'limited', 'failed')),
  message text,
  downlink_id bigint,
  created_at timestamptz not null,
  primary key (organization_id, alert_id, place, at),
  foreign key (organization_id, alert_id) references alerts on delete cascade
);
create index alert_actions_rule on alert_actions (organization_id, rule_id, created_at);

create table alert_mutes (
  organization_id bigint not null,
  device_id bigint not null,
  muted_until timestamptz not null,
  user_id bigint not null,
  primary key (organization_id, device_id)
);

-- How a member is told of alerts, beside the mails of rules: what, when and by which way.
create table alert_channels (
  organization_id bigint not null,
  id bigint generated by default as identity primary key,
  user_id bigint not null,
  name text not null,
  kind text not null,
  -- Addresses and tokens, as JSON.
  sealed_settings bytea not null,
  -- This one and worse.
  severity text not null check (severity in ('info', 'warning', 'critical')),
  group_id bigint,
  tag text,
  -- Days of the week, 1 is Monday, and the time of day (`HH:MM`) in the member's time zone; null: all day.
  days integer[] not null,
  from_time text,
  to_time text,
  -- Only of what nobody has acknowledged so long after it was told.
  after_minutes integer not null,
  tells_back boolean not null,
  is_active boolean not null,
  -- What was told until then is in its messages: the next one tells of what came since.
  told_until timestamptz not null,
  -- No message before: what happens meanwhile is one.
  next_at timestamptz,
  last_sent_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (organization_id, user_id) references members on delete cascade
);
-- Browsers that show messages, of people: what the browser was given by its push service.
create table push_subscriptions (
  id bigint generated by default as identity primary key,
  user_id bigint not null references users on delete cascade,
  endpoint_hash bytea not null unique,
  sealed_subscription bytea not null,
  name text not null,
  last_sent_at timestamptz,
  created_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- The keys by which push services know this installation.
create table push_keys (
  id smallint primary key check (id = 1),
  public_key text not null,
  sealed_private_key bytea not null
);

create index alert_channels_member on alert_channels (organization_id, user_id);

create table alert_messages (
  organization_id bigint not null,
  id bigint generated always as identity,
  -- One mail of a digest for each user; one message of a channel for each portion of news.
  key text not null,
  user_id bigint not null,
  -- Null for a mail of a rule.
  channel_id bigint,
  -- The worst of what has begun, of a channel; null where something is over only.
  severity text,
  -- Where the console shows it, of a channel.
  url text,
  -- Whether something that the channel tells of is still open.
  is_open boolean,
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
create index alert_messages_waiting on alert_messages (next_attempt_at) where state = 'waiting';
create index alert_messages_created on alert_messages (organization_id, created_at);
create index alert_messages_channel on alert_messages (organization_id, channel_id, id)
  where channel_id is not null;

create table reports (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  name text not null,
  period text not null check (period in ('weekly', 'monthly')),
  -- Which measurements of which devices; none where it is about a dashboard.
  series jsonb not null,
  -- The id of a dashboard, or `group-12` and `type-16`.
  dashboard text,
  -- Users who get it, as long as they are members.
  recipients bigint[] not null,
  is_active boolean not null,
  next_at timestamptz not null,
  -- A member wants it now.
  asked_at timestamptz,
  retry_at timestamptz,
  attempts integer not null default 0,
  -- Those who have the present one.
  told bigint[] not null default '{}',
  sent_at timestamptz,
  failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  user_id bigint not null references users,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index reports_due on reports (next_at) where is_active;
create index reports_asked on reports (asked_at) where asked_at is not null;


-- map -------------------------------------------------------------------------------------------

-- Where the maps of the console come from (features/operation/map): the policy of its pages names it.
create table map_settings (
  id smallint primary key check (id = 1),
  kind text not null check (kind in ('outline', 'openstreetmap', 'address', 'file')),
  url text check ((kind = 'address') = (url is not null)),
  file text check ((kind = 'file') = (file is not null)),
  attribution text not null,
  updated_at timestamptz not null
);

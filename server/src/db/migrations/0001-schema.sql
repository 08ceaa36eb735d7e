-- The whole schema of the first release, feature by feature, the lowest first. Later changes are
-- migrations of their own (README.md beside this file). Comments name no files of the code: they
-- change, and this file can't.
--
-- "sealed_" columns hold encrypted secrets. "_hash" columns hold SHA-256, but for passwords.


-- idempotency ------------------------------------------------------------------------------------

-- Requests with an Idempotency-Key. A row without an answer is a request that a server process
-- handles now; after `claimed_until` that process counts as dead.
create table idempotency_keys (
  organization_id bigint not null,
  -- Hash of user, method, path and key, so that its size is fixed.
  scope bytea not null,
  claim uuid not null,
  claimed_until timestamptz not null,
  expires_at timestamptz not null,
  -- Requests and answers may hold secrets. Of the request only a hash is sealed.
  sealed_request bytea not null,
  answer_status integer,
  sealed_answer bytea,
  primary key (organization_id, scope),
  check ((answer_status is null) = (sealed_answer is null))
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);


-- sealing ----------------------------------------------------------------------------------------

-- Each key that has sealed secrets, and a known text sealed by it. A start whose keys do not open
-- every proof has the wrong keys.
create table seal_proofs (
  key_id bytea primary key,
  proof bytea not null,
  created_at timestamptz not null default now()
);


-- users ------------------------------------------------------------------------------------------

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
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_normal_email on users (normal_email);


-- organizations ----------------------------------------------------------------------------------

create table organizations (
  id bigint generated always as identity primary key,
  parent_org_id bigint references organizations,
  -- The organization at the top of the tree: null in that organization itself. root_id is the same
  -- without nulls.
  top_id bigint references organizations,
  root_id bigint not null generated always as (coalesce(top_id, id)) stored,
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
  -- The limit of the whole tree, read at its root.
  device_limit integer not null default 100000 check (device_limit >= 0),
  -- Raised before a device is inserted. The trigger at the end of this file adds it up by tree.
  device_count integer not null default 0 check (device_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index organizations_root on organizations (root_id);

-- Devices of a whole tree. Apart from `organizations`, whose rows a registration locks from its
-- beginning to its end.
create table organization_trees (
  root_id bigint primary key references organizations,
  device_count bigint not null default 0
);

create table members (
  organization_id bigint not null references organizations,
  user_id bigint not null references users,
  -- Owners hold every permission, whatever the list says.
  is_owner boolean not null default false,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

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
  invited_by bigint not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index invitations_once
  on invitations (organization_id, normal_email, child_name) nulls not distinct;
create index invitations_email on invitations (normal_email);
create index invitations_expires_at on invitations (expires_at);


-- sessions ---------------------------------------------------------------------------------------

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
  user_agent text
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


-- two-factor -------------------------------------------------------------------------------------

create table two_factors (
  user_id bigint primary key references users,
  sealed_secret bytea not null,
  -- Time step of the last accepted code. Only codes of later steps are accepted.
  last_step bigint not null,
  enabled_at timestamptz not null
);

-- Codes of 120 random bits. Using one deletes its row.
create table recovery_codes (
  user_id bigint not null references two_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Tokens of /confirm-password-access, each good for one set-up or one removal.
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
  check (sealed_secret is not null or verified_step is null),
  check ((verified_step is null) = (recovery_hashes is null))
);
create index two_factor_tokens_session on two_factor_tokens (session_id);
create index two_factor_tokens_expires_at on two_factor_tokens (expires_at);


-- auth -------------------------------------------------------------------------------------------

-- Codes mailed to users who lost their password. Each works once.
create table password_resets (
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expires_at on password_resets (expires_at);


-- inventory --------------------------------------------------------------------------------------

-- A deleted gateway stays until its network has removed it, and as long as devices name it.
create table gateways (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Part of the callback's address of a gateway of kind `other`: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  -- As registered, and in the form in which EUIs are compared.
  gateway_eui text not null,
  eui text not null generated always as (upper(gateway_eui)) stored,
  name text not null,
  network text not null,
  -- Whose account at the network: the organization's or the operator's.
  register_method text not null check (register_method in ('user_account', 'vendor')),
  ip text,
  region text,
  description text,
  -- Further fields of its network, by the names of POST /gateways.
  settings jsonb not null default '{}',
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  -- Only of kind `other`: the token that the gateway sends.
  sealed_token bytea,
  token_hash bytea,
  -- Rotated tokens that are still valid: `hash` (hexadecimal), `until` (milliseconds since 1970).
  former_tokens jsonb not null default '[]',
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- A gateway EUI exists once per organization and network. After deletion it can be registered again.
create unique index gateways_eui on gateways (organization_id, network, eui)
  where deleted_at is null;
create index gateways_organization on gateways (organization_id, id) where deleted_at is null;

-- Apart from `gateways`, because every uplink writes it: short rows are cheaper to rewrite.
create table gateway_states (
  gateway_id bigint primary key references gateways,
  organization_id bigint not null,
  uplink_count bigint not null default 0,
  downlink_count bigint not null default 0,
  first_seen timestamptz,
  last_seen timestamptz
) with (fillfactor = 50);

-- A deleted device stays, because its uplinks stay in the organization's history.
create table devices (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- As registered, and in the form in which EUIs are compared.
  device_eui text not null,
  eui text not null generated always as (upper(device_eui)) stored,
  join_eui text not null,
  -- Null when the device was adopted from a network that does not tell keys.
  sealed_key bytea,
  name text not null,
  -- A built-in type or a row of `device_types`.
  type_id integer not null,
  network text not null,
  register_method text not null check (register_method in ('user_account', 'vendor')),
  -- The gateway that the device was registered with.
  gateway_id bigint references gateways,
  app_region text,
  frequency_plan text,
  extra_notes text,
  is_console_only boolean not null default false,
  is_active boolean not null default true,
  register_status text not null check (register_status in ('pending', 'active', 'register_error')),
  register_error text,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  commissioned_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- A DevEUI exists once per organization, so that registrations tell nothing about other
-- organizations. Through the operator's account at a network it exists once. Messages find their
-- devices by these two indexes.
create unique index devices_eui on devices (organization_id, eui) where deleted_at is null;
create unique index devices_vendor_eui on devices (network, eui)
  where register_method = 'vendor' and deleted_at is null;
create index devices_organization on devices (organization_id, id) where deleted_at is null;
create index devices_type on devices (organization_id, type_id) where deleted_at is null;

-- Apart from `devices`, because every uplink writes it: short rows are cheaper to rewrite.
create table device_states (
  device_id bigint primary key references devices,
  organization_id bigint not null,
  -- Also the device_ordinal of the latest uplink.
  uplink_count bigint not null default 0,
  last_seen timestamptz,
  -- Known fields of device_status, and for each the event time of the frame that told it.
  status jsonb not null default '{}',
  status_times jsonb not null default '{}'
) with (fillfactor = 50);


-- billing ----------------------------------------------------------------------------------------

-- What an organization agreed to pay. The bill follows from the devices themselves, so nothing here
-- changes when one comes or goes. Ended subscriptions stay.
create table subscriptions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- A copy, so that later changes of BILLING_PLANS do not touch it.
  plan jsonb not null,
  customer jsonb not null,
  -- The plan's interval counts from this day: the end of the trial, or the day of the set-up.
  first_billing_on date not null,
  user_id bigint not null references users,
  started_at timestamptz not null,
  ended_at timestamptz
);
create unique index subscriptions_running on subscriptions (organization_id)
  where ended_at is null;


-- device-types -----------------------------------------------------------------------------------

-- Device types that organizations make themselves.
create table device_types (
  -- Begins far above the built-in types.
  id integer generated always as identity (start with 100000) primary key,
  organization_id bigint not null references organizations,
  type_name text not null,
  part_number text not null,
  payload_format text not null check (payload_format in ('ts013', 'cayenne_lpp')),
  -- JavaScript, as it was sent.
  codec text,
  -- Raised by every change of the codec: caches know it by id and revision.
  revision integer not null default 1,
  -- Frames and their expected results. json keeps the order of keys and odd characters.
  examples json not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((payload_format = 'ts013') = (codec is not null))
);
create index device_types_organization on device_types (organization_id, id);


-- connections ------------------------------------------------------------------------------------

-- Accounts at networks. What the API, the callback and the broker report stands in columns of their
-- own, so that none overwrites another.
create table network_accounts (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  network text not null,
  register_method text not null check (register_method in ('user_account', 'vendor')),
  -- Part of the callback's address: unguessable, but not the secret.
  uuid uuid not null unique default gen_random_uuid(),
  account_fields jsonb not null,
  sealed_secrets bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  -- The API: its state, failed calls in a row, and the pause that follows them.
  status text not null check (status in ('connected', 'unreachable', 'refused')),
  status_message text not null,
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
  -- The callback was changed too often: no more repairs until the account is entered anew.
  is_callback_left boolean not null default false,

  -- The MQTT broker: the process that follows it.
  subscriber text,
  -- The client id derives from it. Another broker, user or topic gets a new one.
  broker_session uuid not null default gen_random_uuid(),
  -- Why the broker is not followed; empty while it is, null until it was tried.
  broker_message text,
  -- The last uplink that came by MQTT, to about ten seconds.
  broker_heard_at timestamptz,

  -- The next reconciliation; spread over a day.
  next_comparison_at timestamptz not null default now() + random() * interval '1 day',

  unique (organization_id, network, register_method)
);
-- The operator has one account at each network.
create unique index network_accounts_vendor on network_accounts (network)
  where register_method = 'vendor';
create index network_accounts_next_comparison on network_accounts (next_comparison_at);

-- Processes that do background work. The claims of a process that is no longer alive are free.
create table processes (
  id uuid primary key,
  -- By the clock of the database.
  alive_until timestamptz not null
);


-- groups -----------------------------------------------------------------------------------------

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
  device_id bigint not null references devices,
  added_at timestamptz not null default now(),
  primary key (organization_id, group_id, device_id),
  foreign key (organization_id, group_id) references device_groups on delete cascade
);
create index grouped_devices_device on grouped_devices (organization_id, device_id);


-- provisioning -----------------------------------------------------------------------------------

-- The outbox of registrations: one row per call that a network must receive, in the order of ids
-- for each EUI. A row is deleted when the network has done or refused it.
create table provisioning (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  device_id bigint references devices,
  gateway_id bigint references gateways,
  eui text not null,
  action text not null check (action in ('add', 'rename', 'remove')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- The process that makes the call (null when it shows no sign of life), and until when.
  claimed_by uuid,
  claimed_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  constraint provisioning_target check (num_nonnulls(device_id, gateway_id) = 1)
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


-- downlinks --------------------------------------------------------------------------------------

-- One row for each device that ever had a downlink. Every change of the device's downlinks locks
-- this row first, and only the holder of its claim speaks with the network about the device's
-- queue, so that all events of one device have one order.
create table downlink_queues (
  organization_id bigint not null,
  device_id bigint not null references devices,
  network text not null,
  register_method text not null,
  -- When the oldest queued downlink is to be handed over; null when none is queued.
  next_attempt_at timestamptz,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamptz,
  -- When the network's queue was last compared with ours.
  checked_at timestamptz,
  primary key (organization_id, device_id)
) with (fillfactor = 50);
-- For requests that know the device alone.
create unique index downlink_queues_device on downlink_queues (device_id);
create index downlink_queues_lane on downlink_queues
  (network, register_method, organization_id, next_attempt_at, device_id)
  where next_attempt_at is not null;
create index downlink_queues_claimed on downlink_queues (network, register_method, organization_id)
  where claimed_until is not null;

create table downlinks (
  id bigint generated always as identity,
  organization_id bigint not null,
  device_id bigint not null references devices,
  user_id bigint not null references users,
  section text not null check (section in ('sensor', 'general', 'advanced')),
  -- The values in units, by field id. For a codec: `codec_data`, the JSON text that it was given,
  -- and `codec_warnings`.
  field_values jsonb not null,
  -- At most as long as a LoRaWAN frame.
  payload bytea not null check (length(payload) between 1 and 242),
  f_port integer not null check (f_port between 1 and 223),
  -- queued: here. handed_over: in the network's queue. sent: on its way to the device.
  state text not null default 'queued' check (
    state in ('queued', 'handed_over', 'sent', 'acknowledged', 'rejected', 'failed', 'cancelled')
  ),
  -- The network's id of the last hand-over.
  queue_item_id text,
  attempts integer not null default 0,
  -- The outcome of a hand-over is unknown: the network may hold the downlink.
  is_uncertain boolean not null default false,
  last_error text,
  created_at timestamptz not null default now(),
  handed_over_at timestamptz,
  sent_at timestamptz,
  closed_at timestamptz,
  -- When the downlink was first found missing from the network's queue.
  missing_since timestamptz,
  primary key (organization_id, id)
);
create index downlinks_open on downlinks (organization_id, device_id, id)
  where state in ('queued', 'handed_over', 'sent');
create index downlinks_handed_over on downlinks (organization_id, device_id)
  where state = 'handed_over';
create index downlinks_unanswered on downlinks (sent_at) where state = 'sent' and closed_at is null;
-- Failed for lack of a report, which may still come.
create index downlinks_unreported on downlinks (organization_id, device_id, id)
  where state = 'failed' and is_uncertain;
create index downlinks_queue_item on downlinks (organization_id, device_id, queue_item_id);
-- For networks that report a downlink by its id alone.
create index downlinks_item on downlinks (queue_item_id, organization_id)
  where queue_item_id is not null;

-- Rows are added and never changed.
create table downlink_history (
  id bigint generated always as identity,
  organization_id bigint not null,
  device_id bigint not null,
  downlink_id bigint not null,
  event_name text not null check (
    event_name in (
      'event_created', 'event_sent', 'event_acknowledged', 'event_rejected', 'event_failed',
      'event_cancelled'
    )
  ),
  -- In the words of the network or the sensor.
  reason text,
  -- By the clock of the database, which all server processes share.
  published_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, id)
);
create index downlink_history_device on downlink_history (organization_id, device_id, id);

-- Devices whose queue at the network is to be compared with ours: a downlink may have been taken out
-- there, or dropped when the device joined.
create table downlink_checks (
  device_id bigint primary key references devices,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  next_attempt_at timestamptz not null,
  claimed_until timestamptz
);
create index downlink_checks_due on downlink_checks (next_attempt_at);
create index downlink_checks_lane on downlink_checks
  (network, register_method, organization_id, next_attempt_at);


-- uplinks ----------------------------------------------------------------------------------------

-- Writers of uplinks lock the row of their organization first, so that ordinals have no gaps.
create table organization_counters (
  organization_id bigint primary key references organizations,
  -- Also the ordinal of the latest uplink.
  uplink_count bigint not null default 0,
  quarantine_count bigint not null default 0,
  quarantine_bytes bigint not null default 0
) with (fillfactor = 50);

-- Numbered without gaps within the organization and within the device, so that a list knows its
-- exact total and reads any page as one index range. Without foreign keys: the writer takes both ids
-- from rows that it holds, and each check would cost a look-up per uplink.
create table uplinks (
  organization_id bigint not null,
  ordinal bigint not null,
  id bigint generated always as identity,
  device_id bigint not null,
  device_ordinal bigint not null,
  deduplication_key text not null,
  event_time timestamptz not null,
  received_at timestamptz not null default now(),
  event_type text not null,
  sensor_sequence integer[] not null,
  decoded_object jsonb not null,
  decoded_message text not null,
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
  gateways jsonb not null,
  primary key (organization_id, ordinal)
);
-- All begin with the device, so that an insert touches few pages of the index.
create unique index uplinks_device on uplinks (organization_id, device_id, device_ordinal);
create unique index uplinks_deduplication
  on uplinks (organization_id, device_id, deduplication_key);
create index uplinks_device_time on uplinks (organization_id, device_id, event_time);

-- Parts of messages that take several frames: the spectrum of a vibration sensor, the packets of a
-- device info. Only devices that send such frames have a row.
create table frame_memories (
  organization_id bigint not null,
  device_id bigint not null,
  -- Lists of parts by group, a few kilobytes at most.
  memory jsonb not null,
  primary key (organization_id, device_id)
) with (fillfactor = 50);

-- Received messages that are no device's uplink.
create table quarantined_messages (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
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
  unique (network_account_id, device_eui, deduplication_key)
);
-- The oldest of an organization are deleted first.
create index quarantined_messages_organization on quarantined_messages (organization_id, id);
create index quarantined_messages_received_at on quarantined_messages (received_at);
create index quarantined_messages_released on quarantined_messages (id) where is_released;


-- callbacks --------------------------------------------------------------------------------------

-- Joins, reports of status and logs, and what became of downlinks, as networks report them.
create table network_events (
  id bigint generated always as identity primary key,
  organization_id bigint not null,
  network_account_id bigint not null,
  device_id bigint not null,
  kind text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  deduplication_key text not null,
  details jsonb not null,
  unique (network_account_id, device_id, kind, deduplication_key)
);
create index network_events_device on network_events (organization_id, device_id, id);
create index network_events_received_at on network_events (received_at);
-- For events that come before the hand-over that they report is stored.
create index network_events_queue_item
  on network_events (organization_id, device_id, (details ->> 'queue_item_id'))
  where details ->> 'queue_item_id' is not null;


-- brokers ----------------------------------------------------------------------------------------

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
create index on ending_broker_sessions (next_try_at);
create index on ending_broker_sessions (organization_id);


-- network-accounts -------------------------------------------------------------------------------

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


-- reconciliation ---------------------------------------------------------------------------------

-- The last comparison of each account with its network.
create table reconciliations (
  network_account_id bigint primary key references network_accounts on delete cascade,
  organization_id bigint not null,
  -- Null until one comparison was completed.
  compared_at timestamptz,
  -- Why the last attempt failed; empty when it was completed.
  failure text not null,
  -- What the network does not show to the account.
  left_out jsonb not null default '[]',
  -- EUI of the last device whose details were asked for; empty to begin anew.
  details_read_to text not null default ''
);

-- The differences that it found and that are still open.
create table reconciliation_differences (
  network_account_id bigint not null references network_accounts on delete cascade,
  organization_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  difference text not null check (
    difference in (
      'only_at_network', 'only_here', 'name_differs', 'key_differs', 'join_eui_differs', 'incomplete'
    )
  ),
  name_here text,
  name_there text,
  -- Another organization or another account has registered it.
  is_taken boolean not null,
  -- What is wrong, in words; null where the difference says it all.
  problem text,
  primary key (network_account_id, eui, kind)
);

-- Differences that the account's owner has chosen to ignore.
create table reconciliation_ignores (
  network_account_id bigint not null references network_accounts on delete cascade,
  organization_id bigint not null,
  kind text not null check (kind in ('device', 'gateway')),
  eui text not null,
  primary key (network_account_id, eui, kind)
);


-- Functions and triggers -------------------------------------------------------------------------

-- Adds up the devices of a tree and holds its limit. Deferred to the commit, so that the tree's row
-- is locked for that moment only: a batch of one organization keeps no other of its tree waiting.
create function count_devices_of_tree() returns trigger language plpgsql as $$
declare
  change integer := new.device_count - old.device_count;
begin
  update organization_trees
  set device_count = organization_trees.device_count + change
  where organization_trees.root_id = new.root_id
    and (change <= 0 or organization_trees.device_count + change <= (
      select roots.device_limit from organizations roots where roots.id = new.root_id
    ));
  if not found then
    raise exception 'the device limit of the tree is reached'
      using errcode = 'check_violation', constraint = 'organization_trees_limit';
  end if;
  return null;
end
$$;

create constraint trigger organizations_device_count
  after update of device_count on organizations
  deferrable initially deferred
  for each row
  when (old.device_count <> new.device_count)
  execute function count_devices_of_tree();

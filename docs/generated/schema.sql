-- Made by "npm run schema" from the migrations. Do not edit.

create type uplink_event as enum ('UNKNOWN', 'DECODED', 'RESET', 'SUPERVISOR', 'TAMPER', 'DEVICE_INFO', 'LINK_QUALITY', 'RATE_LIMIT_EXCEEDED', 'CURRENT_SENSOR_STATE', 'TEST_MODE_EXIT', 'DOWNLINK', 'DOOR_SENSOR', 'GLASS_BREAK_EVENT', 'PUSH_BUTTON', 'CONTACT_SENSOR', 'WATER_SENSOR', 'TEMPERATURE_EVENT', 'TILT_EVENT', 'AMBIENT_LIGHT_SENSOR', 'TANK_LEVEL_SENSOR', 'AIR_TEMP_HUMIDITY_SENSOR', 'ACCELERATION_MOVEMENT_SENSOR', 'HIGH_PRECISION_TILT_SENSOR', 'WIRELESS_ULTRASONIC_LEVEL_SENSOR', 'WIRELESS_420MA_CURRENT_LOOP_SENSOR', 'THERMOCOUPLE_TEMP_SENSOR', 'VOLTAGE_SENSOR', 'GPS_SENSOR', 'HONEYWELL_5800', 'MAGNETOMETER_SENSOR', 'INTERNAL_TEMPERATURE', 'COMPASS_SENSOR', 'WEATHER_STATION_SENSOR', 'HIGH_BANDWIDTH_VIBRATION_SENSOR', 'VIBRATION_CONDENSED_FFT', 'VIBRATION_CONDENSED_FFT_PART', 'VIBRATION_CONDENSED_FFT_ENERGY', 'VIBRATION_CONDENSED_FFT_ENERGY_PART');

create table activities (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  user_id bigint not null,
  user_email text,
  key_id bigint,
  key_name text,
  happened_at timestamp with time zone not null,
  kind text not null,
  action text not null,
  subject text,
  name text,
  count integer,
  fields text[] not null default '{}'::text[],
  address text,
  operation text,
  status smallint,
  "position" bigint,
  hash bytea,
  constraint activities_pkey PRIMARY KEY (organization_id, id),
  constraint activities_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint activities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table activity_chains (
  organization_id bigint not null,
  "position" bigint not null,
  removed_position bigint not null,
  sealed_head bytea not null,
  told_position bigint not null default 0,
  told_turn_at timestamp with time zone,
  told_by uuid,
  told_until timestamp with time zone,
  constraint activity_chains_pkey PRIMARY KEY (organization_id),
  constraint activity_chains_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table alert_digests (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  rule_id bigint not null,
  due_at timestamp with time zone not null,
  written_at timestamp with time zone,
  constraint alert_digests_pkey PRIMARY KEY (organization_id, id),
  constraint alert_digests_organization_id_rule_id_fkey FOREIGN KEY (organization_id, rule_id) REFERENCES alert_rules(organization_id, id)
);

create table alert_mails (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  key text not null,
  user_id bigint not null,
  subject text not null,
  body text not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  last_failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint alert_mails_pkey PRIMARY KEY (organization_id, id),
  constraint alert_mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text]))),
  constraint alert_mails_organization_id_key_key UNIQUE (organization_id, key)
);

create table alert_mutes (
  organization_id bigint not null,
  device_id bigint not null,
  muted_until timestamp with time zone not null,
  user_id bigint not null,
  constraint alert_mutes_pkey PRIMARY KEY (organization_id, device_id)
);

create table alert_rules (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  kind text not null,
  severity text not null,
  group_id bigint,
  type_id integer,
  network text,
  tag text,
  settings jsonb not null,
  recipients bigint[] not null,
  tells_back boolean not null,
  is_active boolean not null,
  muted_until timestamp with time zone,
  digested_at timestamp with time zone,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint alert_rules_pkey PRIMARY KEY (organization_id, id),
  constraint alert_rules_kind_check CHECK ((kind = ANY (ARRAY['device_silent'::text, 'gateway_silent'::text, 'low_battery'::text, 'tamper'::text, 'threshold'::text, 'registration_error'::text]))),
  constraint alert_rules_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
  constraint alert_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint alert_rules_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table alert_watches (
  organization_id bigint not null,
  uplink_ordinal bigint not null,
  reads_uplinks boolean not null,
  next_look_at timestamp with time zone not null,
  turn_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  constraint alert_watches_pkey PRIMARY KEY (organization_id),
  constraint alert_watches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=50);

create table alerts (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  rule_id bigint not null,
  kind text not null,
  device_id bigint,
  gateway_id bigint,
  state text not null,
  began_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  value double precision,
  bound double precision,
  details jsonb not null default '{}'::jsonb,
  cause_gateway_id bigint,
  told_at timestamp with time zone,
  digest_id bigint,
  back_told_at timestamp with time zone,
  back_digest_id bigint,
  acknowledged_at timestamp with time zone,
  acknowledged_by bigint,
  assigned_to bigint,
  snoozed_until timestamp with time zone,
  closed_by bigint,
  note text,
  constraint alerts_pkey PRIMARY KEY (organization_id, id),
  constraint alerts_check CHECK (((device_id IS NULL) <> (gateway_id IS NULL))),
  constraint alerts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'open'::text, 'dismissed'::text, 'closed'::text]))),
  constraint alerts_organization_id_rule_id_fkey FOREIGN KEY (organization_id, rule_id) REFERENCES alert_rules(organization_id, id)
);

create table api_keys (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  permissions text[] not null,
  group_id bigint,
  tag text,
  networks text[] not null default '{}'::text[],
  expires_at timestamp with time zone,
  key_hash bytea not null,
  key_end text not null,
  former_hash bytea,
  former_until timestamp with time zone,
  created_by bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_address text,
  last_user_agent text,
  constraint api_keys_pkey PRIMARY KEY (organization_id, id),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table callback_withdrawals (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  account_id bigint not null,
  network text not null,
  place text not null,
  sealed_callback bytea not null,
  created_at timestamp with time zone not null,
  next_try_at timestamp with time zone not null,
  tries integer not null default 0,
  constraint callback_withdrawals_pkey PRIMARY KEY (id),
  constraint callback_withdrawals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table daily_rollups (
  organization_id bigint not null,
  device_id bigint not null,
  name text collate "C" not null,
  start timestamp with time zone not null,
  count integer not null,
  sum numeric not null,
  lowest double precision not null,
  highest double precision not null,
  last double precision not null,
  last_at timestamp with time zone not null,
  constraint daily_rollups_pkey PRIMARY KEY (organization_id, device_id, name, start)
) with (fillfactor=90);

create table daily_states (
  organization_id bigint not null,
  device_id bigint not null,
  day timestamp with time zone not null,
  name text collate "C" not null,
  hours jsonb not null,
  constraint daily_states_pkey PRIMARY KEY (organization_id, device_id, day, name)
) with (fillfactor=70);

create table dashboards (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  description text,
  is_private boolean not null,
  variable jsonb,
  range text not null,
  widgets jsonb not null,
  revision integer not null default 1,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint dashboards_pkey PRIMARY KEY (organization_id, id),
  constraint dashboards_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint dashboards_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table decoding_runs (
  organization_id bigint not null,
  type_id bigint not null,
  next_ordinal bigint not null,
  next_look_at timestamp with time zone not null default now(),
  constraint decoding_runs_pkey PRIMARY KEY (organization_id, type_id)
);

create table device_groups (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  parent_id bigint,
  name text not null,
  is_open boolean not null default true,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint device_groups_pkey PRIMARY KEY (organization_id, id),
  constraint device_groups_check CHECK ((parent_id <> id)),
  constraint device_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint device_groups_organization_id_parent_id_fkey FOREIGN KEY (organization_id, parent_id) REFERENCES device_groups(organization_id, id),
  constraint device_groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table device_moves (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  device_id bigint not null,
  user_id bigint not null,
  from_network text not null,
  from_method text not null,
  to_network text not null,
  to_method text not null,
  gateway_id bigint,
  app_region text,
  frequency_plan text,
  stamp text not null,
  sealed_key bytea,
  state text not null,
  ending text,
  message text,
  steps jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  due_at timestamp with time zone,
  heard_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint device_moves_pkey PRIMARY KEY (organization_id, id),
  constraint device_moves_ending_check CHECK ((ending = ANY (ARRAY['expired'::text, 'cancelled'::text, 'failed'::text]))),
  constraint device_moves_state_check CHECK ((state = ANY (ARRAY['preparing'::text, 'waiting'::text, 'completing'::text, 'putting_back'::text, 'done'::text, 'expired'::text, 'cancelled'::text, 'failed'::text]))),
  constraint device_moves_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id),
  constraint device_moves_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint device_moves_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table device_rhythms (
  organization_id bigint not null,
  device_id bigint not null,
  interval_seconds double precision,
  long_seconds double precision,
  silent_seconds double precision,
  learnt_at timestamp with time zone not null,
  learnt_count bigint not null,
  due_at timestamp with time zone not null,
  constraint device_rhythms_pkey PRIMARY KEY (organization_id, device_id)
) with (fillfactor=70);

create table device_states (
  organization_id bigint not null,
  device_id bigint not null,
  uplink_count bigint not null default 0,
  first_ordinal bigint not null default 1,
  last_seen timestamp with time zone,
  status jsonb not null default '{}'::jsonb,
  status_times jsonb not null default '{}'::jsonb,
  seen_period integer not null default '-1'::integer,
  battery_volts double precision,
  warnings smallint not null default 0,
  has_rhythm boolean not null default false,
  constraint device_states_pkey PRIMARY KEY (organization_id, device_id),
  constraint device_states_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id)
) with (fillfactor=50);

create table device_types (
  organization_id bigint not null,
  id integer not null generated always as identity,
  type_name text not null,
  part_number text not null,
  payload_format text not null,
  codec text,
  revision integer not null default 1,
  examples json not null default '[]'::json,
  measurements jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint device_types_pkey PRIMARY KEY (organization_id, id),
  constraint device_types_check CHECK (((payload_format = 'ts013'::text) = (codec IS NOT NULL))),
  constraint device_types_payload_format_check CHECK ((payload_format = ANY (ARRAY['ts013'::text, 'cayenne_lpp'::text]))),
  constraint device_types_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table devices (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  device_eui text not null,
  eui text not null generated always as (upper(device_eui)) stored,
  join_eui text not null,
  sealed_key bytea,
  sealed_network_key bytea,
  sealed_variables bytea,
  name text not null,
  name_order text collate "C" not null generated always as (regexp_replace(regexp_replace(regexp_replace(NORMALIZE(lower(name), NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), '(\d+)'::text, '000000000\1'::text, 'g'::text), '0*(\d{10})'::text, '\1'::text, 'g'::text)) stored,
  type_id integer not null,
  network text not null,
  register_method text not null,
  other_network text,
  other_method text,
  gateway_id bigint,
  app_region text,
  frequency_plan text,
  network_profile text,
  radio jsonb,
  extra_notes text,
  tags jsonb not null default '{}'::jsonb,
  latitude double precision,
  longitude double precision,
  altitude double precision,
  place_source text,
  is_console_only boolean not null default false,
  is_active boolean not null default true,
  register_status text not null,
  register_error text,
  refused_at timestamp with time zone,
  is_refused boolean not null default false,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  commissioned_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint devices_pkey PRIMARY KEY (organization_id, id),
  constraint devices_place CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (place_source IS NULL)) AND ((altitude IS NULL) OR (latitude IS NOT NULL)) AND ((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)) AND (place_source = ANY (ARRAY['typed'::text, 'map'::text, 'phone'::text, 'network'::text, 'sensor'::text])))),
  constraint devices_register_method_check CHECK ((register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'::text)),
  constraint devices_register_status_check CHECK ((register_status = ANY (ARRAY['pending'::text, 'active'::text, 'register_error'::text]))),
  constraint devices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint devices_organization_id_gateway_id_fkey FOREIGN KEY (organization_id, gateway_id) REFERENCES gateways(organization_id, id),
  constraint devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table downlink_checks (
  organization_id bigint not null,
  device_id bigint not null,
  network text not null,
  register_method text not null,
  next_attempt_at timestamp with time zone not null,
  claimed_until timestamp with time zone,
  constraint downlink_checks_pkey PRIMARY KEY (organization_id, device_id),
  constraint downlink_checks_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id)
);

create table downlink_history (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  device_id bigint not null,
  downlink_id bigint not null,
  event_name text not null,
  reason text,
  published_at timestamp with time zone not null default clock_timestamp(),
  constraint downlink_history_pkey PRIMARY KEY (organization_id, id),
  constraint downlink_history_event_name_check CHECK ((event_name = ANY (ARRAY['event_created'::text, 'event_sent'::text, 'event_acknowledged'::text, 'event_rejected'::text, 'event_failed'::text, 'event_cancelled'::text, 'event_expired'::text])))
);

create table downlink_queues (
  organization_id bigint not null,
  device_id bigint not null,
  network text not null,
  register_method text not null,
  next_attempt_at timestamp with time zone,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  checked_at timestamp with time zone,
  constraint downlink_queues_pkey PRIMARY KEY (organization_id, device_id),
  constraint downlink_queues_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id)
) with (fillfactor=50);

create table downlinks (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  device_id bigint not null,
  user_id bigint not null,
  section text not null,
  field_values jsonb not null,
  payload bytea not null,
  f_port integer not null,
  is_confirmed boolean not null default false,
  state text not null default 'queued'::text,
  queue_item_id text,
  attempts integer not null default 0,
  is_uncertain boolean not null default false,
  last_error text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  handed_over_at timestamp with time zone,
  sent_at timestamp with time zone,
  closed_at timestamp with time zone,
  missing_since timestamp with time zone,
  cancelling_until timestamp with time zone,
  constraint downlinks_pkey PRIMARY KEY (organization_id, id),
  constraint downlinks_f_port_check CHECK (((f_port >= 1) AND (f_port <= 223))),
  constraint downlinks_payload_check CHECK (((length(payload) >= 1) AND (length(payload) <= 242))),
  constraint downlinks_section_check CHECK ((section = ANY (ARRAY['sensor'::text, 'general'::text, 'advanced'::text, 'raw'::text]))),
  constraint downlinks_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'handed_over'::text, 'sent'::text, 'acknowledged'::text, 'rejected'::text, 'failed'::text, 'cancelled'::text, 'expired'::text]))),
  constraint downlinks_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id),
  constraint downlinks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table ending_broker_sessions (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  network text not null,
  broker_session uuid not null,
  sealed_values bytea not null,
  subscriber text,
  created_at timestamp with time zone not null default now(),
  next_try_at timestamp with time zone not null default now(),
  tries integer not null default 0,
  constraint ending_broker_sessions_pkey PRIMARY KEY (id),
  constraint ending_broker_sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table frame_memories (
  organization_id bigint not null,
  device_id bigint not null,
  memory jsonb not null,
  constraint frame_memories_pkey PRIMARY KEY (organization_id, device_id)
) with (fillfactor=50);

create table gateway_hours (
  organization_id bigint not null,
  gateway_id bigint not null,
  hour timestamp with time zone not null,
  uplink_count bigint not null,
  downlink_count bigint not null,
  constraint gateway_hours_pkey PRIMARY KEY (organization_id, gateway_id, hour),
  constraint gateway_hours_organization_id_gateway_id_fkey FOREIGN KEY (organization_id, gateway_id) REFERENCES gateways(organization_id, id) ON DELETE CASCADE
);

create table gateway_states (
  organization_id bigint not null,
  gateway_id bigint not null,
  uplink_count bigint not null default 0,
  downlink_count bigint not null default 0,
  first_seen timestamp with time zone,
  last_seen timestamp with time zone,
  latitude double precision,
  longitude double precision,
  constraint gateway_states_pkey PRIMARY KEY (organization_id, gateway_id),
  constraint gateway_states_organization_id_gateway_id_fkey FOREIGN KEY (organization_id, gateway_id) REFERENCES gateways(organization_id, id)
) with (fillfactor=50);

create table gateways (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  gateway_eui text not null,
  eui text not null generated always as (upper(gateway_eui)) stored,
  name text not null,
  name_order text collate "C" not null generated always as (regexp_replace(regexp_replace(regexp_replace(NORMALIZE(lower(name), NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), '(\d+)'::text, '000000000\1'::text, 'g'::text), '0*(\d{10})'::text, '\1'::text, 'g'::text)) stored,
  network text not null,
  register_method text not null,
  ip text,
  region text,
  latitude double precision,
  longitude double precision,
  altitude double precision,
  place_source text,
  description text,
  tags jsonb not null default '{}'::jsonb,
  settings jsonb not null default '{}'::jsonb,
  register_status text not null,
  register_error text,
  refused_at timestamp with time zone,
  sealed_token bytea,
  token_hash bytea,
  former_tokens jsonb not null default '[]'::jsonb,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint gateways_pkey PRIMARY KEY (organization_id, id),
  constraint gateways_place CHECK ((((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NULL) = (place_source IS NULL)) AND ((altitude IS NULL) OR (latitude IS NOT NULL)) AND ((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)) AND (place_source = ANY (ARRAY['typed'::text, 'map'::text, 'phone'::text, 'network'::text, 'sensor'::text])))),
  constraint gateways_register_method_check CHECK ((register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'::text)),
  constraint gateways_register_status_check CHECK ((register_status = ANY (ARRAY['pending'::text, 'active'::text, 'register_error'::text]))),
  constraint gateways_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint gateways_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint gateways_uuid_key UNIQUE (uuid)
);

create table group_trees (
  organization_id bigint not null,
  constraint group_trees_pkey PRIMARY KEY (organization_id),
  constraint group_trees_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table grouped_devices (
  organization_id bigint not null,
  group_id bigint not null,
  device_id bigint not null,
  added_at timestamp with time zone not null default now(),
  constraint grouped_devices_pkey PRIMARY KEY (organization_id, group_id, device_id),
  constraint grouped_devices_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id),
  constraint grouped_devices_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES device_groups(organization_id, id) ON DELETE CASCADE
);

create table hourly_rollups (
  organization_id bigint not null,
  device_id bigint not null,
  name text collate "C" not null,
  start timestamp with time zone not null,
  count integer not null,
  sum numeric not null,
  lowest double precision not null,
  highest double precision not null,
  last double precision not null,
  last_at timestamp with time zone not null,
  constraint hourly_rollups_pkey PRIMARY KEY (organization_id, device_id, name, start)
) with (fillfactor=90);

create table idempotency_keys (
  organization_id bigint not null,
  scope bytea not null,
  claim uuid not null,
  claimed_by uuid,
  claimed_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  sealed_request bytea not null,
  answer_status integer,
  sealed_answer bytea,
  constraint idempotency_keys_pkey PRIMARY KEY (organization_id, scope),
  constraint idempotency_keys_answer CHECK (((sealed_answer IS NULL) OR (answer_status IS NOT NULL)))
);

create table invitations (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  child_name text,
  email text not null,
  normal_email text not null,
  permissions text[] not null default '{}'::text[],
  group_id bigint,
  invited_by bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  link_hash bytea,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table job_rows (
  organization_id bigint not null,
  job_id bigint not null,
  number integer not null,
  state text not null,
  eui text,
  input jsonb not null,
  sealed_secret bytea,
  message text,
  device_id bigint,
  constraint job_rows_pkey PRIMARY KEY (organization_id, job_id, number),
  constraint job_rows_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint job_rows_organization_id_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES jobs(organization_id, id) ON DELETE CASCADE
);

create table jobs (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  user_id bigint not null,
  kind text not null,
  state text not null,
  is_dry_run boolean not null,
  title text,
  settings jsonb not null,
  message text,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  worked_at timestamp with time zone,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_kind_check CHECK ((kind = ANY (ARRAY['register'::text, 'rename'::text, 'move'::text, 'configure'::text, 'delete'::text, 'change'::text, 'change_network'::text]))),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'queued'::text, 'running'::text, 'done'::text, 'cancelled'::text]))),
  constraint jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint jobs_organization_id_id_key UNIQUE (organization_id, id)
);

create table login_failures (
  subject text not null,
  failures integer not null,
  consecutive_failures integer not null,
  window_started_at timestamp with time zone not null,
  blocked_until timestamp with time zone not null,
  constraint login_failures_pkey PRIMARY KEY (subject)
);

create table members (
  organization_id bigint not null,
  user_id bigint not null,
  is_owner boolean not null default false,
  permissions text[] not null default '{}'::text[],
  group_id bigint,
  sessions_ended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint members_pkey PRIMARY KEY (organization_id, user_id),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table network_accounts (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  uuid uuid not null default gen_random_uuid(),
  account_fields jsonb not null,
  sealed_secrets bytea not null,
  device_profiles jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  status text not null,
  status_message text not null,
  status_since timestamp with time zone not null default now(),
  failures integer not null default 0,
  paused_until timestamp with time zone,
  call_interval_ms double precision,
  next_call_at timestamp with time zone,
  slowed_at timestamp with time zone,
  sealed_callback_secret bytea not null,
  callback_hash bytea not null,
  former_callbacks jsonb not null default '[]'::jsonb,
  callback_message text not null default ''::text,
  callback_heard_at timestamp with time zone,
  is_callback_entered boolean not null default false,
  next_callback_check_at timestamp with time zone not null default now(),
  callback_checked_at timestamp with time zone,
  callback_repairs jsonb not null default '[]'::jsonb,
  is_callback_left boolean not null default false,
  subscriber text,
  broker_session uuid not null default gen_random_uuid(),
  broker_message text,
  broker_since timestamp with time zone,
  broker_heard_at timestamp with time zone,
  unread_members jsonb not null default '{}'::jsonb,
  next_comparison_at timestamp with time zone not null default (now() + (random() * '1 day'::interval)),
  constraint network_accounts_pkey PRIMARY KEY (id),
  constraint network_accounts_register_method_check CHECK ((register_method ~ '^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$'::text)),
  constraint network_accounts_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'unreachable'::text, 'refused'::text]))),
  constraint network_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint network_accounts_organization_id_id_key UNIQUE (organization_id, id),
  constraint network_accounts_organization_id_network_register_method_key UNIQUE (organization_id, network, register_method),
  constraint network_accounts_uuid_key UNIQUE (uuid)
);

create table network_events (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  network_account_id bigint not null,
  device_id bigint not null,
  kind text not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  deduplication_key text not null,
  details jsonb not null,
  constraint network_events_pkey PRIMARY KEY (organization_id, id),
  constraint network_events_organization_id_device_id_network_account_id_key UNIQUE (organization_id, device_id, network_account_id, kind, deduplication_key)
);

create table organization_counters (
  organization_id bigint not null,
  uplink_count bigint not null default 0,
  first_ordinal bigint not null default 1,
  quarantine_count bigint not null default 0,
  quarantine_bytes bigint not null default 0,
  constraint organization_counters_pkey PRIMARY KEY (organization_id),
  constraint organization_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=50);

create table organization_deletions (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  parent_org_id bigint,
  name text not null,
  user_id bigint,
  state text not null,
  place bigint not null default 0,
  told_until timestamp with time zone,
  organizations integer not null,
  devices bigint not null,
  uplinks bigint not null,
  organizations_left integer not null,
  devices_left bigint not null,
  uplinks_left bigint not null,
  left_at_networks integer not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint organization_deletions_pkey PRIMARY KEY (id),
  constraint organization_deletions_state_check CHECK ((state = ANY (ARRAY['removing'::text, 'telling'::text, 'leaving'::text, 'deleting'::text, 'done'::text]))),
  constraint organization_deletions_parent_org_id_fkey FOREIGN KEY (parent_org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint organization_deletions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table organization_totals (
  organization_id bigint not null,
  device_count bigint not null default 0,
  constraint organization_totals_pkey PRIMARY KEY (organization_id),
  constraint organization_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table organizations (
  id bigint not null generated always as identity,
  parent_org_id bigint,
  tenant_id bigint not null,
  name text not null,
  address_line_1 text,
  address_line_2 text,
  logo text,
  owner_user_id bigint,
  timezone_format text not null default 'UTC'::text,
  timezone_id bigint not null default 1,
  country_id bigint,
  trial_ends_at date,
  is_demo_account boolean not null default false,
  device_limit integer not null default 100000,
  device_count integer not null default 0,
  organization_limit integer not null default 1000,
  request_limit integer,
  uplink_retention_days integer,
  verdict_window_hours integer not null default 48,
  formats jsonb not null default '{}'::jsonb,
  requires_two_factor boolean not null default false,
  deletion_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_device_count_check CHECK ((device_count >= 0)),
  constraint organizations_device_limit_check CHECK ((device_limit >= 0)),
  constraint organizations_organization_limit_check CHECK ((organization_limit >= 0)),
  constraint organizations_request_limit_check CHECK ((request_limit > 0)),
  constraint organizations_uplink_retention_days_check CHECK (((uplink_retention_days >= 7) AND (uplink_retention_days <= 36500))),
  constraint organizations_verdict_window_hours_check CHECK (((verdict_window_hours >= 1) AND (verdict_window_hours <= 8760))),
  constraint organizations_deletion_id_fkey FOREIGN KEY (deletion_id) REFERENCES organization_deletions(id),
  constraint organizations_owner FOREIGN KEY (owner_user_id) REFERENCES users(id),
  constraint organizations_parent_org_id_fkey FOREIGN KEY (parent_org_id) REFERENCES organizations(id),
  constraint organizations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES organizations(id)
);

create table password_resets (
  token_hash bytea not null,
  user_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table processes (
  id uuid not null,
  alive_until timestamp with time zone not null,
  constraint processes_pkey PRIMARY KEY (id)
);

create table provisioning (
  id bigint not null generated always as identity,
  organization_id bigint not null,
  network text not null,
  register_method text not null,
  device_id bigint,
  gateway_id bigint,
  eui text not null,
  action text not null,
  move_id bigint,
  replaces_key boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  claimed_by uuid,
  claimed_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  constraint provisioning_pkey PRIMARY KEY (id),
  constraint provisioning_action_check CHECK ((action = ANY (ARRAY['add'::text, 'rename'::text, 'remove'::text]))),
  constraint provisioning_target CHECK ((num_nonnulls(device_id, gateway_id) = 1)),
  constraint provisioning_organization_id_device_id_fkey FOREIGN KEY (organization_id, device_id) REFERENCES devices(organization_id, id),
  constraint provisioning_organization_id_gateway_id_fkey FOREIGN KEY (organization_id, gateway_id) REFERENCES gateways(organization_id, id)
);

create table quarantined_messages (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  network_account_id bigint not null,
  reason text not null,
  detail text not null,
  device_eui text not null,
  deduplication_key text not null,
  message bytea not null,
  uplink text,
  is_released boolean not null default false,
  received_at timestamp with time zone not null default now(),
  constraint quarantined_messages_pkey PRIMARY KEY (organization_id, id),
  constraint quarantined_messages_reason_check CHECK ((reason = ANY (ARRAY['unknown_device'::text, 'not_storable'::text]))),
  constraint quarantined_messages_organization_id_network_account_id_dev_key UNIQUE (organization_id, network_account_id, device_eui, deduplication_key)
);

create table reconciliation_differences (
  organization_id bigint not null,
  network_account_id bigint not null,
  kind text not null,
  eui text not null,
  difference text not null,
  name_here text,
  name_there text,
  is_taken boolean not null,
  problem text,
  constraint reconciliation_differences_pkey PRIMARY KEY (organization_id, network_account_id, eui, kind),
  constraint reconciliation_differences_difference_check CHECK ((difference = ANY (ARRAY['only_at_network'::text, 'only_here'::text, 'name_differs'::text, 'key_differs'::text, 'join_eui_differs'::text, 'lorawan_differs'::text, 'incomplete'::text]))),
  constraint reconciliation_differences_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'gateway'::text]))),
  constraint reconciliation_differences_organization_id_network_account_fkey FOREIGN KEY (organization_id, network_account_id) REFERENCES network_accounts(organization_id, id) ON DELETE CASCADE
);

create table reconciliation_ignores (
  organization_id bigint not null,
  network_account_id bigint not null,
  kind text not null,
  eui text not null,
  constraint reconciliation_ignores_pkey PRIMARY KEY (organization_id, network_account_id, eui, kind),
  constraint reconciliation_ignores_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'gateway'::text]))),
  constraint reconciliation_ignores_organization_id_network_account_id_fkey FOREIGN KEY (organization_id, network_account_id) REFERENCES network_accounts(organization_id, id) ON DELETE CASCADE
);

create table reconciliations (
  organization_id bigint not null,
  network_account_id bigint not null,
  compared_at timestamp with time zone,
  failure text not null,
  left_out jsonb not null default '[]'::jsonb,
  details_read_to text not null default ''::text,
  constraint reconciliations_pkey PRIMARY KEY (organization_id, network_account_id),
  constraint reconciliations_organization_id_network_account_id_fkey FOREIGN KEY (organization_id, network_account_id) REFERENCES network_accounts(organization_id, id) ON DELETE CASCADE
);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES two_factors(user_id) ON DELETE CASCADE
);

create table reports (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  period text not null,
  series jsonb not null,
  recipients bigint[] not null,
  is_active boolean not null,
  next_at timestamp with time zone not null,
  asked_at timestamp with time zone,
  retry_at timestamp with time zone,
  attempts integer not null default 0,
  told bigint[] not null default '{}'::bigint[],
  sent_at timestamp with time zone,
  failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint reports_pkey PRIMARY KEY (organization_id, id),
  constraint reports_period_check CHECK ((period = ANY (ARRAY['weekly'::text, 'monthly'::text]))),
  constraint reports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table request_counts (
  subject text not null,
  started_at bigint not null,
  count bigint not null,
  constraint request_counts_pkey PRIMARY KEY (subject)
);

create table rollup_changes (
  organization_id bigint not null,
  device_id bigint not null,
  hour timestamp with time zone not null,
  constraint rollup_changes_pkey PRIMARY KEY (organization_id, device_id, hour)
);

create table rollup_cursors (
  organization_id bigint not null,
  uplink_ordinal bigint not null default 0,
  constraint rollup_cursors_pkey PRIMARY KEY (organization_id),
  constraint rollup_cursors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=50);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table seal_proofs (
  key_id bytea not null,
  proof bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint seal_proofs_pkey PRIMARY KEY (key_id)
);

create table sessions (
  id bigint not null generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  refreshable_until timestamp with time zone not null,
  ended_at timestamp with time zone,
  last_used_at timestamp with time zone not null default now(),
  address text,
  user_agent text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_token_hash_key UNIQUE (token_hash)
);

create table subscriptions (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  plan jsonb not null,
  customer jsonb not null,
  first_billing_on date not null,
  user_id bigint not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (organization_id, id),
  constraint subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table two_factor_tokens (
  token_hash bytea not null,
  session_id bigint not null,
  user_id bigint not null,
  expires_at timestamp with time zone not null,
  sealed_secret bytea,
  verified_step bigint,
  recovery_hashes bytea[],
  constraint two_factor_tokens_pkey PRIMARY KEY (token_hash),
  constraint two_factor_tokens_check CHECK (((sealed_secret IS NOT NULL) OR (verified_step IS NULL))),
  constraint two_factor_tokens_check1 CHECK (((verified_step IS NULL) = (recovery_hashes IS NULL))),
  constraint two_factor_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint two_factor_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table two_factors (
  user_id bigint not null,
  sealed_secret bytea not null,
  last_step bigint not null,
  enabled_at timestamp with time zone not null,
  constraint two_factors_pkey PRIMARY KEY (user_id),
  constraint two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table uplinks (
  organization_id bigint not null,
  ordinal bigint not null,
  id bigint not null generated always as identity,
  device_id bigint not null,
  device_ordinal bigint not null,
  deduplication_key text not null,
  event_time timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  event_type uplink_event not null,
  sensor_sequence integer[] not null,
  decoded_object jsonb not null,
  decoded_message text,
  payload bytea not null,
  f_port integer not null,
  f_cnt bigint not null,
  rssi integer,
  snr double precision,
  latitude double precision,
  longitude double precision,
  data_rate text,
  frequency bigint,
  receptions jsonb not null,
  constraint uplinks_pkey PRIMARY KEY (organization_id, ordinal),
  constraint uplinks_frequency_check CHECK (((frequency >= 1) AND (frequency <= '4294967295'::bigint)))
);

create table user_preferences (
  organization_id bigint not null,
  user_id bigint not null,
  preferences text not null,
  updated_at timestamp with time zone not null,
  constraint user_preferences_pkey PRIMARY KEY (organization_id, user_id),
  constraint user_preferences_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES members(organization_id, user_id) ON DELETE CASCADE
);

create table users (
  id bigint not null generated always as identity,
  email text not null,
  normal_email text not null,
  password_hash text not null,
  must_change_password boolean not null default false,
  first_name text not null,
  last_name text not null,
  timezone_format text not null default 'UTC'::text,
  timezone_id bigint not null default 1,
  time_zone text,
  formats jsonb not null default '{}'::jsonb,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id)
);

create table webhook_announcements (
  organization_id bigint not null,
  webhook_id bigint not null,
  topic text not null,
  device_id bigint not null,
  type_id integer not null,
  components text[] not null,
  digest text,
  constraint webhook_announcements_pkey PRIMARY KEY (organization_id, webhook_id, topic),
  constraint webhook_announcements_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE
);

create table webhook_attempts (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  device_id bigint,
  ordinal bigint,
  delivery_id bigint,
  attempted_at timestamp with time zone not null,
  is_delivered boolean not null,
  status integer,
  duration_ms integer not null,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (organization_id, webhook_id, id),
  constraint webhook_attempts_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE
);

create table webhook_deliveries (
  organization_id bigint not null,
  webhook_id bigint not null,
  id bigint not null generated always as identity,
  device_id bigint not null,
  kind text not null,
  ordinal bigint,
  data jsonb,
  happened_at timestamp with time zone not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  first_failed_at timestamp with time zone,
  next_attempt_at timestamp with time zone not null,
  last_failure text,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, webhook_id, id),
  constraint webhook_deliveries_check CHECK (((ordinal IS NULL) = (data IS NOT NULL))),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dead'::text]))),
  constraint webhook_deliveries_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, id) ON DELETE CASCADE
);

create table webhooks (
  organization_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  url text not null,
  events text[] not null,
  group_id bigint,
  type_id integer,
  network text,
  tag text,
  state text not null default 'active'::text,
  state_message text,
  mqtt jsonb,
  sealed_login bytea,
  announcements_due_at timestamp with time zone,
  sealed_secret bytea not null,
  sealed_former_secret bytea,
  former_until timestamp with time zone,
  uplink_ordinal bigint not null,
  replay_ordinal bigint,
  replay_until bigint,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  next_attempt_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  last_failure text,
  claim uuid,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (organization_id, id),
  constraint webhooks_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))),
  constraint webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
) with (fillfactor=50);

CREATE INDEX activities_happened_at ON public.activities USING btree (happened_at);

CREATE UNIQUE INDEX activities_position ON public.activities USING btree (organization_id, "position");

CREATE INDEX activities_unchained ON public.activities USING btree (organization_id, id) WHERE ("position" IS NULL);

CREATE UNIQUE INDEX alert_digests_gathering ON public.alert_digests USING btree (organization_id, rule_id) WHERE (written_at IS NULL);

CREATE INDEX alert_digests_written ON public.alert_digests USING btree (organization_id, written_at) WHERE (written_at IS NOT NULL);

CREATE INDEX alert_mails_created ON public.alert_mails USING btree (organization_id, created_at);

CREATE INDEX alert_mails_waiting ON public.alert_mails USING btree (next_attempt_at) WHERE (state = 'waiting'::text);

CREATE INDEX alerts_back_digest ON public.alerts USING btree (organization_id, back_digest_id) WHERE (back_digest_id IS NOT NULL);

CREATE INDEX alerts_back_untold ON public.alerts USING btree (organization_id) WHERE ((state = ANY (ARRAY['dismissed'::text, 'closed'::text])) AND (told_at IS NOT NULL) AND (back_told_at IS NULL));

CREATE INDEX alerts_cause ON public.alerts USING btree (organization_id, rule_id, cause_gateway_id) WHERE ((state = 'open'::text) AND (cause_gateway_id IS NOT NULL));

CREATE INDEX alerts_closed ON public.alerts USING btree (organization_id, closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX alerts_device ON public.alerts USING btree (organization_id, device_id, rule_id, id);

CREATE INDEX alerts_digest ON public.alerts USING btree (organization_id, digest_id) WHERE (digest_id IS NOT NULL);

CREATE INDEX alerts_gateway ON public.alerts USING btree (organization_id, gateway_id, id) WHERE (gateway_id IS NOT NULL);

CREATE UNIQUE INDEX alerts_of_device_now ON public.alerts USING btree (organization_id, rule_id, device_id) WHERE ((state <> 'closed'::text) AND (device_id IS NOT NULL));

CREATE UNIQUE INDEX alerts_of_gateway_now ON public.alerts USING btree (organization_id, rule_id, gateway_id) WHERE ((state <> 'closed'::text) AND (gateway_id IS NOT NULL));

CREATE INDEX alerts_open ON public.alerts USING btree (organization_id, id) WHERE (state = 'open'::text);

CREATE INDEX alerts_rule ON public.alerts USING btree (organization_id, rule_id, id);

CREATE INDEX alerts_snoozed ON public.alerts USING btree (organization_id, snoozed_until) WHERE ((state = 'open'::text) AND (snoozed_until IS NOT NULL));

CREATE INDEX alerts_untold ON public.alerts USING btree (organization_id) WHERE ((state = 'open'::text) AND (told_at IS NULL));

CREATE UNIQUE INDEX api_keys_former_hash ON public.api_keys USING btree (organization_id, former_hash) WHERE (former_hash IS NOT NULL);

CREATE UNIQUE INDEX api_keys_hash ON public.api_keys USING btree (organization_id, key_hash);

CREATE INDEX callback_withdrawals_account ON public.callback_withdrawals USING btree (account_id);

CREATE INDEX callback_withdrawals_next_try ON public.callback_withdrawals USING btree (next_try_at);

CREATE INDEX device_groups_parent ON public.device_groups USING btree (organization_id, parent_id);

CREATE INDEX device_moves_calls ON public.device_moves USING btree (id) WHERE (state = ANY (ARRAY['preparing'::text, 'completing'::text, 'putting_back'::text]));

CREATE INDEX device_moves_due ON public.device_moves USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX device_moves_of_device ON public.device_moves USING btree (organization_id, device_id, id);

CREATE UNIQUE INDEX device_moves_open ON public.device_moves USING btree (organization_id, device_id) WHERE (finished_at IS NULL);

CREATE INDEX device_rhythms_due ON public.device_rhythms USING btree (organization_id, due_at);

CREATE INDEX device_states_battery ON public.device_states USING btree (organization_id, battery_volts, device_id);

CREATE INDEX device_states_seen ON public.device_states USING btree (organization_id, seen_period);

CREATE INDEX device_states_unlearnt ON public.device_states USING btree (organization_id) WHERE ((seen_period >= 0) AND (NOT has_rhythm));

CREATE INDEX device_states_warned ON public.device_states USING btree (organization_id) WHERE (warnings > 0);

CREATE INDEX devices_account ON public.devices USING btree (organization_id, network, register_method, register_status) WHERE (deleted_at IS NULL);

CREATE INDEX devices_by_type ON public.devices USING btree (organization_id, type_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX devices_deleted ON public.devices USING btree (organization_id, id) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX devices_eui ON public.devices USING btree (organization_id, eui) WHERE (deleted_at IS NULL);

CREATE INDEX devices_inactive ON public.devices USING btree (organization_id) WHERE ((deleted_at IS NULL) AND (NOT is_active));

CREATE INDEX devices_moving_vendor ON public.devices USING btree (other_network, eui) WHERE ((other_method = 'vendor'::text) AND (deleted_at IS NULL));

CREATE INDEX devices_name ON public.devices USING btree (organization_id, name_order, id) WHERE (deleted_at IS NULL);

CREATE INDEX devices_network ON public.devices USING btree (network, register_status) WHERE (deleted_at IS NULL);

CREATE INDEX devices_organization ON public.devices USING btree (organization_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX devices_unregistered ON public.devices USING btree (organization_id, register_status) WHERE ((deleted_at IS NULL) AND (register_status <> 'active'::text));

CREATE UNIQUE INDEX devices_vendor_eui ON public.devices USING btree (network, eui) WHERE ((register_method = 'vendor'::text) AND (deleted_at IS NULL));

CREATE INDEX downlink_checks_due ON public.downlink_checks USING btree (next_attempt_at);

CREATE INDEX downlink_checks_lane ON public.downlink_checks USING btree (network, register_method, organization_id, next_attempt_at);

CREATE INDEX downlink_history_device ON public.downlink_history USING btree (organization_id, device_id, id);

CREATE INDEX downlink_history_downlink ON public.downlink_history USING btree (organization_id, downlink_id);

CREATE INDEX downlink_queues_claimed ON public.downlink_queues USING btree (network, register_method, organization_id) WHERE (claimed_until IS NOT NULL);

CREATE UNIQUE INDEX downlink_queues_device ON public.downlink_queues USING btree (device_id);

CREATE INDEX downlink_queues_lane ON public.downlink_queues USING btree (network, register_method, organization_id, next_attempt_at, device_id) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX downlinks_closed ON public.downlinks USING btree (closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX downlinks_device ON public.downlinks USING btree (organization_id, device_id, id);

CREATE INDEX downlinks_expired ON public.downlinks USING btree (organization_id, id) WHERE (state = 'expired'::text);

CREATE INDEX downlinks_expiring ON public.downlinks USING btree (expires_at) WHERE ((state = 'queued'::text) AND (NOT is_uncertain) AND (expires_at IS NOT NULL));

CREATE INDEX downlinks_handed_over ON public.downlinks USING btree (organization_id, device_id) WHERE (state = 'handed_over'::text);

CREATE INDEX downlinks_item ON public.downlinks USING btree (queue_item_id, organization_id) WHERE (queue_item_id IS NOT NULL);

CREATE INDEX downlinks_noted ON public.downlinks USING btree (organization_id, state, id) WHERE (state = ANY (ARRAY['queued'::text, 'handed_over'::text, 'rejected'::text, 'failed'::text]));

CREATE INDEX downlinks_open ON public.downlinks USING btree (organization_id, device_id, id) WHERE (state = ANY (ARRAY['queued'::text, 'handed_over'::text, 'sent'::text]));

CREATE INDEX downlinks_queue_item ON public.downlinks USING btree (organization_id, device_id, queue_item_id);

CREATE INDEX downlinks_unanswered ON public.downlinks USING btree (sent_at) WHERE ((state = 'sent'::text) AND (closed_at IS NULL));

CREATE INDEX downlinks_unreported ON public.downlinks USING btree (organization_id, device_id, id) WHERE ((state = 'failed'::text) AND is_uncertain);

CREATE INDEX downlinks_waiting ON public.downlinks USING btree (state) WHERE (state = ANY (ARRAY['queued'::text, 'handed_over'::text]));

CREATE INDEX ending_broker_sessions_next_try ON public.ending_broker_sessions USING btree (next_try_at);

CREATE INDEX ending_broker_sessions_organization ON public.ending_broker_sessions USING btree (organization_id);

CREATE INDEX gateway_hours_hour ON public.gateway_hours USING btree (hour);

CREATE UNIQUE INDEX gateways_eui ON public.gateways USING btree (organization_id, network, eui) WHERE (deleted_at IS NULL);

CREATE INDEX gateways_name ON public.gateways USING btree (organization_id, name_order, id) WHERE (deleted_at IS NULL);

CREATE INDEX grouped_devices_device ON public.grouped_devices USING btree (organization_id, device_id);

CREATE INDEX idempotency_keys_expires_at ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX invitations_email ON public.invitations USING btree (normal_email);

CREATE INDEX invitations_expires_at ON public.invitations USING btree (expires_at);

CREATE UNIQUE INDEX invitations_link ON public.invitations USING btree (link_hash);

CREATE UNIQUE INDEX invitations_once ON public.invitations USING btree (organization_id, normal_email, child_name) NULLS NOT DISTINCT;

CREATE INDEX job_rows_eui ON public.job_rows USING btree (job_id, eui, number);

CREATE INDEX job_rows_failed ON public.job_rows USING btree (job_id, number) WHERE (state = 'failed'::text);

CREATE INDEX job_rows_secret ON public.job_rows USING btree (job_id) WHERE (sealed_secret IS NOT NULL);

CREATE INDEX job_rows_waiting ON public.job_rows USING btree (job_id, number) WHERE (state = 'waiting'::text);

CREATE INDEX jobs_created_at ON public.jobs USING btree (created_at);

CREATE INDEX jobs_open ON public.jobs USING btree (worked_at NULLS FIRST, id) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX members_user ON public.members USING btree (user_id);

CREATE INDEX network_accounts_next_comparison ON public.network_accounts USING btree (next_comparison_at);

CREATE UNIQUE INDEX network_accounts_vendor ON public.network_accounts USING btree (network) WHERE (register_method = 'vendor'::text);

CREATE INDEX network_events_device ON public.network_events USING btree (organization_id, device_id, id);

CREATE INDEX network_events_queue_item ON public.network_events USING btree (organization_id, device_id, ((details ->> 'queue_item_id'::text))) WHERE ((details ->> 'queue_item_id'::text) IS NOT NULL);

CREATE INDEX network_events_received_at ON public.network_events USING btree (received_at);

CREATE INDEX organization_deletions_open ON public.organization_deletions USING btree (id) WHERE (state <> 'done'::text);

CREATE INDEX organization_deletions_parent ON public.organization_deletions USING btree (parent_org_id, id);

CREATE INDEX organizations_deletion ON public.organizations USING btree (deletion_id) WHERE (deletion_id IS NOT NULL);

CREATE INDEX organizations_parent ON public.organizations USING btree (parent_org_id);

CREATE INDEX organizations_tenant ON public.organizations USING btree (tenant_id);

CREATE INDEX password_resets_expires_at ON public.password_resets USING btree (expires_at);

CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id);

CREATE INDEX provisioning_claimed ON public.provisioning USING btree (network, register_method, organization_id) WHERE (claimed_until IS NOT NULL);

CREATE INDEX provisioning_device ON public.provisioning USING btree (device_id);

CREATE INDEX provisioning_eui ON public.provisioning USING btree (network, eui, id);

CREATE INDEX provisioning_gateway ON public.provisioning USING btree (gateway_id) WHERE (gateway_id IS NOT NULL);

CREATE INDEX provisioning_lane ON public.provisioning USING btree (network, register_method, organization_id, next_attempt_at, id);

CREATE INDEX quarantined_messages_received_at ON public.quarantined_messages USING btree (received_at);

CREATE INDEX quarantined_messages_released ON public.quarantined_messages USING btree (id) WHERE is_released;

CREATE INDEX reports_asked ON public.reports USING btree (asked_at) WHERE (asked_at IS NOT NULL);

CREATE INDEX reports_due ON public.reports USING btree (next_at) WHERE is_active;

CREATE INDEX sessions_refreshable_until ON public.sessions USING btree (refreshable_until);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id);

CREATE UNIQUE INDEX subscriptions_running ON public.subscriptions USING btree (organization_id) WHERE (ended_at IS NULL);

CREATE INDEX two_factor_tokens_expires_at ON public.two_factor_tokens USING btree (expires_at);

CREATE INDEX two_factor_tokens_session ON public.two_factor_tokens USING btree (session_id);

CREATE UNIQUE INDEX uplinks_device ON public.uplinks USING btree (organization_id, device_id, device_ordinal);

CREATE INDEX uplinks_window ON public.uplinks USING btree (((((floor((date_part('epoch'::text, (event_time AT TIME ZONE 'UTC'::text)) / (21600)::double precision)))::bigint << 40) | device_id)), ((hashtext(deduplication_key) & 16777215)), (((floor(date_part('epoch'::text, (event_time AT TIME ZONE 'UTC'::text))) - (floor((date_part('epoch'::text, (event_time AT TIME ZONE 'UTC'::text)) / (21600)::double precision)) * (21600)::double precision)))::integer));

CREATE UNIQUE INDEX users_normal_email ON public.users USING btree (normal_email);

CREATE INDEX webhook_attempts_failed ON public.webhook_attempts USING btree (organization_id, webhook_id, id) WHERE (NOT is_delivered);

CREATE INDEX webhook_attempts_ordinal ON public.webhook_attempts USING btree (organization_id, ordinal) WHERE (ordinal IS NOT NULL);

CREATE INDEX webhook_deliveries_device ON public.webhook_deliveries USING btree (organization_id, webhook_id, device_id, id) WHERE (state = 'waiting'::text);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (organization_id, webhook_id, next_attempt_at) WHERE (state = 'waiting'::text);

CREATE INDEX webhook_deliveries_happened ON public.webhook_deliveries USING btree (organization_id, webhook_id, happened_at);

CREATE UNIQUE INDEX webhook_deliveries_ordinal ON public.webhook_deliveries USING btree (organization_id, webhook_id, ordinal) WHERE (ordinal IS NOT NULL);

CREATE OR REPLACE FUNCTION public.count_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.count_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into organization_totals (organization_id) values (new.id) on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.place_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.tenant_id := coalesce(
    (select tenant_id from organizations where id = new.parent_org_id and id <> 1), new.id
  );
  return new;
end
$function$;

CREATE TRIGGER organizations_count AFTER INSERT ON public.organizations FOR EACH ROW EXECUTE FUNCTION count_organization();

CREATE CONSTRAINT TRIGGER organizations_device_count AFTER UPDATE OF device_count ON public.organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.device_count <> new.device_count)) EXECUTE FUNCTION count_devices();

CREATE TRIGGER organizations_place BEFORE INSERT ON public.organizations FOR EACH ROW EXECUTE FUNCTION place_organization();

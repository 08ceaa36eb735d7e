import { z } from 'zod'
import { toOneLine } from '../../../http/fields.ts'
import { eventTypes } from '../../../sensors/event-types.ts'
import { typeOrigin } from '../../fleet/device-types/type-origin.ts'
import { radioField } from '../../fleet/devices/radio-settings.ts'
import { deviceVariables } from '../../fleet/devices/variables-record.ts'
import { placeFields } from '../../fleet/inventory/places.ts'
import { tagsField } from '../../fleet/inventory/tags.ts'
import { variable, widget } from '../../insight/dashboards/widget-body.ts'
import { mostWidgets, widgetRanges } from '../../insight/dashboards/widget-types.ts'
import { alertKinds, severities } from '../alerts/alert-kinds.ts'

/*
 * An archive is a directory: one file of JSON lines for each kind of record, and a manifest, which is
 * written last. docs/archive.md describes the members of each line.
 */

export const manifestName = 'manifest.json'
export const archiveFormat = 'lora-console archive 1'

/** The kinds of records, in the order in which they are read back: each names only earlier ones. */
export const memberNames = [
  'groups',
  'device_types',
  'network_accounts',
  'gateways',
  'devices',
  'dashboards',
  'floor_plans',
  'device_photos',
  'notes',
  'alert_rules',
  'uplinks',
] as const
export type MemberName = (typeof memberNames)[number]

/** The files; uplinks are the only ones that may be large. */
export const fileOf: Record<MemberName | 'uplinks_csv', string> = {
  groups: 'groups.ndjson',
  device_types: 'device-types.ndjson',
  network_accounts: 'network-accounts.ndjson',
  gateways: 'gateways.ndjson',
  devices: 'devices.ndjson',
  dashboards: 'dashboards.ndjson',
  floor_plans: 'floor-plans.ndjson',
  device_photos: 'device-photos.ndjson',
  notes: 'notes.ndjson',
  alert_rules: 'alert-rules.ndjson',
  uplinks: 'uplinks.ndjson.gz',
  uplinks_csv: 'uplinks.csv.gz',
}

const member = z.object({
  /** Records: lines, without the header of CSV. */
  records: z.int().min(0),
  /** Of the file as it is. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export const manifest = z.object({
  format: z.literal(archiveFormat),
  taken_at: z.string(),
  organization: z.object({ id: z.int(), name: z.string() }),
  has_keys: z.boolean(),
  members: z.object({
    groups: member,
    device_types: member,
    network_accounts: member,
    gateways: member,
    devices: member,
    /** Not in those that were written before there were any. */
    dashboards: member.optional(),
    floor_plans: member.optional(),
    device_photos: member.optional(),
    notes: member.optional(),
    alert_rules: member.optional(),
    uplinks: member,
    uplinks_csv: member.optional(),
  }),
})

export type Manifest = z.infer<typeof manifest>
export type Member = z.infer<typeof member>

const id = z.int()
const text = z.string()
/** As it was written. Names are held to one line when they come back in. */
const name = text.transform(toOneLine)
/** With the name of an account beyond the first (docs/decisions/0042-several-accounts.md). */
const registerMethod = z.union([
  z.enum(['user_account', 'vendor']),
  z.templateLiteral(['user_account:', z.string()]),
])
const time = z.iso.datetime({ offset: true })

export const archivedGroup = z.object({
  id,
  parent_id: id.nullable(),
  name,
  is_open: z.boolean(),
  address: text.nullish(),
})

export const archivedPlan = z.object({
  id,
  group_id: id,
  name,
  /** In base64. It is checked as one of a request. */
  image: text,
  positions: z.array(
    z.object({ device: id, x: z.number().min(0).max(1), y: z.number().min(0).max(1) }),
  ),
  gateways: z
    .array(z.object({ gateway: id, x: z.number().min(0).max(1), y: z.number().min(0).max(1) }))
    .default([]),
})

export const archivedPhoto = z.object({
  id,
  device: id,
  caption: text.nullable(),
  /** In base64, as the thumbnail. They are checked as those of a request. */
  image: text,
  thumbnail: text.nullable(),
  created_at: time,
})

export const archivedNote = z.object({
  id,
  device: id.nullable(),
  gateway: id.nullable(),
  group: id.nullable(),
  at: time,
  text,
})

export const archivedRule = z.object({
  id,
  name,
  kind: z.enum(alertKinds),
  severity: z.enum(severities),
  /** They are checked as those of a request. */
  settings: z.record(z.string(), z.unknown()),
  device: id.nullable(),
  group: id.nullable(),
  type: id.nullable(),
  network: text.nullable(),
  tag: text.nullable(),
  tells_back: z.boolean(),
})

export type ArchivedRule = z.infer<typeof archivedRule>

export const archivedType = z.object({
  id,
  type_name: name,
  part_number: text,
  payload_format: z.enum(['ts013', 'cayenne_lpp']),
  codec: text.nullable(),
  examples: z.array(z.unknown()),
  measurements: z.array(z.looseObject({ name: z.string() })),
  catalogue: typeOrigin.nullish(),
})

export const archivedGateway = z.object({
  id,
  gateway_eui: text,
  name,
  network: text,
  register_method: registerMethod,
  region: text.nullable(),
  description: text.nullable(),
  ...placeFields,
  tags: tagsField.optional(),
})

export const archivedDevice = z.object({
  id,
  device_id: text,
  join_eui: text,
  /** Only where keys were asked for, and the service knows it. */
  device_key: text.optional(),
  /** Only where keys were asked for, and the device has some. */
  variables: deviceVariables.optional(),
  name,
  type_id: id,
  network: text,
  register_method: registerMethod,
  gateway_id: id.nullable(),
  app_region: text.nullable(),
  frequency_plan: text.nullable(),
  /** As in a registration; its network key only where keys were asked for. */
  lorawan: radioField,
  device_profile: text.nullish(),
  extra_notes: text.nullable(),
  tags: tagsField.optional(),
  ...placeFields,
  is_console_only: z.boolean(),
  is_active: z.boolean(),
  groups: z.array(id),
  created_at: time,
  /** Of devices that are deleted, and whose uplinks are kept. */
  deleted_at: time.nullable(),
  last_seen: time.nullable(),
  status: z.record(text, z.unknown()),
  status_times: z.record(text, z.unknown()),
})
export type ArchivedDevice = z.infer<typeof archivedDevice>

export const archivedDashboard = z.object({
  id,
  name,
  description: text.nullable(),
  variable: variable.nullable(),
  range: z.enum(widgetRanges),
  widgets: z.array(widget).max(mostWidgets),
})
export type ArchivedDashboard = z.infer<typeof archivedDashboard>

const reception = z.object({
  gateway_eui: text,
  rssi: z.number().optional(),
  snr: z.number().optional(),
  lat: z.number().optional(),
  lng: z.number().optional(),
})

export const archivedUplink = z.object({
  /** Counts the uplinks of the organization in the order of their arrival. */
  ordinal: z.int().min(1),
  /** The id of a device of the archive. */
  device: id,
  deduplication_key: text,
  event_time: time,
  received_at: time,
  event_type: z.enum(eventTypes),
  sensor_sequence: z.array(z.int()),
  decoded_object: z.record(text, z.unknown()),
  decoded_message: text,
  /** Hexadecimal. */
  payload: text.regex(/^([0-9a-f]{2})*$/),
  f_port: z.int(),
  f_cnt: z.int(),
  rssi: z.int().nullable(),
  snr: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  data_rate: text.nullable(),
  frequency: z.int().nullable(),
  gateways: z.array(reception),
})
export type ArchivedUplink = z.infer<typeof archivedUplink>

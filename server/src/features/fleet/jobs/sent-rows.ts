import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { isEui, normalizeEui } from '../../../lora/eui.ts'
import { isObject } from '../batches/batches.ts'
import { placeMembers } from '../inventory/places.ts'
import { type JobKind, namesDevices } from './job-kinds.ts'
import type { NewRow, RowInput } from './row-queries.ts'

/**
 * What is kept of a sent row: its known members, as they came, so that whatever is wrong with one row
 * shows in its own result. Their values are checked when it is the row's turn.
 */

const members: Record<JobKind, readonly string[]> = {
  register: [
    ...['deviceName', 'deviceId', 'groups', 'group_path', 'notes', 'tags', 'source_row'],
    ...placeMembers,
  ],
  rename: ['device_id', 'device_name'],
  move: ['device_id'],
  configure: ['device_id'],
  delete: ['device_id'],
  change: ['device_id'],
  change_network: ['device_id'],
  take_over: ['device_id', 'device_name', 'device_type', 'gateway_id', 'gateway_name'],
}

/** Of `provisioningData`, without the key. */
const provisioningMembers = [
  'network',
  'registerMethod',
  'accountName',
  'deviceProfile',
  'deviceTypeId',
  'gatewayId',
  'joinEui',
  'appRegion',
  'frequencyPlan',
  'consoleOnly',
]

/** Longer than any field may be, so that a text that is cut is refused for its length. */
const longestText = 5100
const longestList = 101

interface Place {
  jobId: number
  kind: JobKind
  number: number
}

/** Makes a row to store. `known` is what a fixed row leaves out. */
export function toNewRow(
  sealer: Sealer,
  { jobId, kind, number }: Place,
  sent: unknown,
  known: { input: RowInput; secret: string | undefined } = { input: {}, secret: undefined },
): NewRow {
  const row = namesDevices(kind) && typeof sent === 'string' ? { device_id: sent } : sent
  const fields = isObject(row) ? row : {}
  const input: RowInput = { ...known.input, ...pick(fields, members[kind]) }
  const provisioning = isObject(fields.provisioningData) ? fields.provisioningData : {}
  if (kind === 'register') {
    const kept = isObject(known.input.provisioningData) ? known.input.provisioningData : {}
    // Its keys must not be stored. It is only noted, so that the row is refused.
    const lorawan = (provisioning.lorawan ?? null) !== null ? { lorawan: true } : {}
    const { lorawan: _, ...rest } = kept
    input.provisioningData = { ...rest, ...pick(provisioning, provisioningMembers), ...lorawan }
  }
  const { deviceKey } = provisioning
  const secret = typeof deviceKey === 'string' && deviceKey !== '' ? deviceKey : known.secret
  const context = sealContext('jobSecret', jobId, number)
  return {
    number,
    eui: euiOf(input),
    input,
    sealedSecret: secret === undefined ? null : sealer.seal(storable(secret), context),
  }
}

function pick(fields: Record<string, unknown>, names: readonly string[]): RowInput {
  const known = names.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(
    known.map((name) => [name, (name === 'tags' ? plainTags : plain)(fields[name])]),
  )
}

function plainTags(value: unknown): unknown {
  if (!isObject(value)) return plain(value)
  const tags = Object.entries(value).slice(0, longestList)
  return Object.fromEntries(tags.map(([key, each]) => [storable(key), plainItem(each)]))
}

/** A value that can be stored as JSON. Objects become null, which no field takes. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.slice(0, longestList).map(plainItem)
  return plainItem(value)
}

function plainItem(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Stands for what the database cannot store; `hasBadCharacter` finds it. */
const replacement = '\ufffd'

function storable(text: string): string {
  return text.slice(0, longestText).toWellFormed().replaceAll('\u0000', replacement)
}

/** Whether a text of the row had a character that cannot be stored. */
export function hasBadCharacter(input: RowInput): boolean {
  return JSON.stringify(input).includes(replacement)
}

function euiOf(input: RowInput): string | null {
  const text = input.device_id ?? input.deviceId
  return typeof text === 'string' && isEui(text) ? normalizeEui(text) : null
}

import type { Queryable } from '../../../db/connect.ts'
import { lacksPermission } from '../../../http/errors.ts'
import { optionalLines, optionalText } from '../../../http/fields.ts'
import { readHex } from '../../../lora/device-file/device-row.ts'
import { isObject } from '../batches/batches.ts'
import { type BatchItem, type KnownThings, readItem } from '../devices/batch-items.ts'
import { groupIds, groupsUnknown } from '../devices/device-groups.ts'
import { changeDevices } from '../devices/device-writes.ts'
import { readKnown, runBatch } from '../devices/run-batch.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { placeMembers } from '../inventory/places.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import { findIds, readSafely, toResult } from './batch-rows.ts'
import type { SettingsOf } from './job-kinds.ts'
import { type JobServices, openSecret, type Portion, type RowResult } from './portion.ts'
import { findRepeated, type WaitingRow } from './row-queries.ts'

/** Groups that rows name by their path, such as `Building A / Floor 2`. */

/** Levels of a path. Groups themselves may be nested deeper. */
const mostLevels = 20
const longestName = 255

interface GroupTree {
  /** Ids of groups by `keyOf`. Of two with the same name and parent, the older one. */
  byName: Map<string, number>
  ids: Set<number>
}

function readPath(path: string): string[] {
  return path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Reads all groups of the organization, whose trees are locked. */
async function readTree(tx: Queryable, organizationId: number): Promise<GroupTree> {
  const groups = await groupQueries.list(tx, organizationId)
  const tree: GroupTree = { byName: new Map(), ids: new Set(groups.map(({ id }) => id)) }
  for (const { id, parent_id, name } of groups) {
    const key = keyOf(parent_id, name)
    if (!tree.byName.has(key)) tree.byName.set(key, id)
  }
  return tree
}

function keyOf(parentId: number | null, name: string): string {
  return `${parentId ?? ''}/${name.trim().toLowerCase()}`
}

/** The group of a path; undefined when there is none. */
function findGroup({ byName }: GroupTree, names: readonly string[]): number | undefined {
  let parent: number | null = null
  for (const name of names) {
    const id = byName.get(keyOf(parent, name))
    if (id === undefined) return undefined
    parent = id
  }
  return parent ?? undefined
}

/** Returns what keeps the groups of a path from being made. */
function findPathFault(names: readonly string[]): string | undefined {
  if (names.length > mostLevels) {
    return `The group path may not have more than ${mostLevels} levels.`
  }
  return names.some((name) => name.length > longestName)
    ? `A group name may not be greater than ${longestName} characters.`
    : undefined
}

/** Makes the groups of a path that are missing, and returns the last one. */
async function makeGroups(
  tx: Queryable,
  tree: GroupTree,
  names: readonly string[],
  origin: { organizationId: number; userId: number; now: Date },
): Promise<number | undefined> {
  let parentId: number | null = null
  for (const name of names) {
    const key = keyOf(parentId, name)
    const known = tree.byName.get(key)
    const { organizationId, ...maker } = origin
    const id: number =
      known ?? (await groupQueries.insert(tx, organizationId, { name, parentId, ...maker })).id
    tree.byName.set(key, id)
    tree.ids.add(id)
    parentId = id
  }
  return parentId ?? undefined
}

/** What a row says beyond an item of a batch. */
interface Extras {
  groups: number[]
  path: string[]
  notes: string | undefined
}

const notesField = optionalLines('notes', 5000)
const pathField = optionalText('group path', 5000)

const noLorawan = 'A job takes no lorawan: register this device alone, or in a batch of devices.'

/** Registers devices by the code of batches, then puts them into their groups. */
export async function registerRows(
  tx: Queryable,
  services: JobServices,
  portion: Portion,
  rows: readonly WaitingRow[],
): Promise<RowResult[]> {
  const { job, sender, now } = portion
  const { organizationId } = sender
  // In the order of all that locks both.
  await lockRemaining(tx, organizationId)
  const tree = await readTreeOf(tx, organizationId, rows)
  const sent = rows.map((row) => toItem(services, job.id, row))
  const known = await readKnown(tx, organizationId, sent)
  const read = rows.map((row, index) => readRow(row, sent[index], { portion, tree, known }))
  const items = await refuseRepeated(
    tx,
    portion,
    rows,
    read.map(({ item }) => item),
  )
  const entries = await runBatch(tx, services, sender, {
    items,
    now,
    isDryRun: job.is_dry_run,
    alreadyPlanned: job.is_dry_run ? job.done : 0,
  })
  const registered = rows.filter((_, index) => entries[index]?.status)
  const ids = job.is_dry_run ? new Map() : await findIds(tx, organizationId, registered)
  const placed = read.flatMap(({ extras }, index) => {
    const id = entries[index]?.status ? ids.get(rows[index]?.eui ?? '') : undefined
    return id === undefined ? [] : { ...extras, id }
  })
  await place(tx, services, portion, tree, placed)
  const words = job.is_dry_run ? 'Would be added' : undefined
  return entries.map((entry, index) => toResult(entry, ids.get(rows[index]?.eui ?? ''), words))
}

/** The row as an item of a batch, with its key. */
function toItem(services: JobServices, jobId: number, row: WaitingRow): Record<string, unknown> {
  const { deviceName, deviceId, provisioningData, tags } = row.input
  const place = placeMembers.map((name) => [name, row.input[name]])
  const deviceKey = openSecret(services, jobId, row)
  const provisioning = isObject(provisioningData) ? provisioningData : {}
  return {
    action: 'create',
    deviceName,
    deviceId,
    tags,
    ...Object.fromEntries(place),
    provisioningData: {
      ...provisioning,
      lorawan: undefined,
      ...(deviceKey !== undefined && { deviceKey }),
    },
  }
}

/** Reads the groups only when a row names some: there may be 10,000 of them. */
async function readTreeOf(
  tx: Queryable,
  organizationId: number,
  rows: readonly WaitingRow[],
): Promise<GroupTree | undefined> {
  const isNamed = rows.some(({ input }) => input.groups || input.group_path)
  if (!isNamed) return undefined
  await groupQueries.lockTrees(tx, organizationId)
  return readTree(tx, organizationId)
}

interface Known {
  portion: Portion
  tree: GroupTree | undefined
  known: KnownThings
}

function readRow(
  row: WaitingRow,
  sent: Record<string, unknown> | undefined,
  { portion, tree, known }: Known,
): { item: BatchItem; extras: Extras } {
  const item = inWordsOfFiles(
    readSafely(row, () => readItem(sent, known)),
    sent,
  )
  const { extras, faults } = readExtras(row.input, portion, tree)
  if (faults.length === 0) return { item, extras }
  const others = item.action === 'none' ? item.errors : []
  return { item: { action: 'none', errors: [...others, ...faults] }, extras }
}

const digits = [
  ['deviceId', 'device EUI', 16],
  ['joinEui', 'join EUI', 16],
  ['deviceKey', 'device key', 32],
] as const

/** Rows come from files: what a spreadsheet has made of an EUI is said as before they are sent. */
function inWordsOfFiles(item: BatchItem, sent: Record<string, unknown> | undefined): BatchItem {
  if (item.action !== 'none' || !sent) return item
  const { provisioningData } = sent
  const values = { ...(isObject(provisioningData) ? provisioningData : {}), ...sent }
  let { errors } = item
  for (const [name, label, length] of digits) {
    const value = values[name]
    const fault = typeof value === 'string' && readHex(value, length, label).fault
    if (!fault) continue
    errors = [fault, ...errors.filter((error) => !error.startsWith(`The ${label} `))]
  }
  return { ...item, errors }
}

function readExtras(
  input: WaitingRow['input'],
  { job, sender }: Portion,
  tree: GroupTree | undefined,
): { extras: Extras; faults: string[] } {
  const notes = notesField.safeParse(input.notes)
  const path = pathField.safeParse(input.group_path)
  const groups = groupIds.nullish().safeParse(input.groups)
  const faults = [notes, path, groups].flatMap(
    ({ error }) => error?.issues.map(({ message }) => message) ?? [],
  )
  const { provisioningData } = input
  if (isObject(provisioningData) && provisioningData.lorawan) faults.push(noLorawan)
  const extras = {
    notes: notes.data || undefined,
    path: readPath(path.data ?? ''),
    groups: groups.data ?? [],
  }
  const isGrouped = extras.path.length > 0 || extras.groups.length > 0
  if (!isGrouped || !tree) return { extras, faults }
  if (!sender.permissions.includes('manage_groups')) faults.push(lacksPermission('manage_groups'))
  const unknown = extras.groups.filter((id) => !tree.ids.has(id))
  if (unknown.length > 0) faults.push(groupsUnknown(unknown))
  const isThere = extras.path.length === 0 || findGroup(tree, extras.path) !== undefined
  const { create_groups: makes } = job.settings as SettingsOf<'register'>
  const fault = isThere ? undefined : makes ? findPathFault(extras.path) : noGroup(extras.path)
  return { extras, faults: fault === undefined ? faults : [...faults, fault] }
}

function noGroup(path: readonly string[]): string {
  return `The group ${path.join(' / ')} does not exist.`
}

/** A dry run registers nothing, so that it must remember which EUIs its earlier rows take. */
async function refuseRepeated(
  tx: Queryable,
  { job }: Portion,
  rows: readonly WaitingRow[],
  items: readonly BatchItem[],
): Promise<readonly BatchItem[]> {
  if (!job.is_dry_run) return items
  const repeated = await findRepeated(tx, job.id, rows)
  if (repeated.size === 0) return items
  return items.map((item, index) =>
    item.action === 'create' && repeated.has(rows[index]?.eui ?? '')
      ? { action: 'none', errors: ['An earlier row has the same device EUI.'] }
      : item,
  )
}

/** Puts the new devices into their groups, and adds their notes. */
async function place(
  tx: Queryable,
  { sealer }: JobServices,
  { sender, now }: Portion,
  tree: GroupTree | undefined,
  devices: readonly (Extras & { id: number })[],
): Promise<void> {
  const { organizationId, userId } = sender
  const changes = []
  for (const { id, path, groups, notes } of devices) {
    const origin = { organizationId, userId, now }
    const last = tree && (await makeGroups(tx, tree, path, origin))
    const all = last === undefined ? groups : [...new Set([...groups, last])]
    if (all.length === 0 && notes === undefined) continue
    changes.push({ id, notes, groups: all.length > 0 ? all : undefined })
  }
  await changeDevices(tx, sealer, organizationId, { changes, now })
}

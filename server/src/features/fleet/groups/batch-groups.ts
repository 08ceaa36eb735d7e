import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changesOfBatch } from '../../../http/change-record.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { HttpError } from '../../../http/errors.ts'
import { hexadecimal, requiredInteger, requiredText } from '../../../http/fields.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { endpoint } from '../../core-services.ts'
import { batchItems, messagesOf, openItem, type RefusedItem } from '../batches/batches.ts'
import * as groupQueries from './group-queries.ts'
import { findByEui } from './group-queries.ts'
import { groupNotFound } from './group-record.ts'
import { addGroup, changeStoredGroup } from './group-writes.ts'

interface GroupItemFields {
  name: string
  /** In upper case. Undefined: none for a new group, unchanged for a stored one. */
  euis: string[] | undefined
  /** Null for a top-level group; undefined: top level for a new group, unchanged for a stored one. */
  parentId: number | null | undefined
}

/** One parsed item of POST /batch-group-requests. */
type GroupItem =
  | ({ action: 'create' } & GroupItemFields)
  | ({ action: 'update'; groupId: number } & GroupItemFields)
  | { action: 'delete'; groupId: number }

const groupId = requiredInteger('group id')
const mostDevices = 1000

/** A group has one parent, though the field is a list. */
const parent = z.union([requiredInteger('selected group'), z.null()], {
  error: 'The selected group must be a group id, or an array of one.',
})
const selectedGroup = z
  .preprocess((sent) => {
    return Array.isArray(sent) && sent.length < 2 ? (sent[0] ?? null) : sent
  }, parent.optional())
  // A list of one is taken too; generators of clients know one type besides null.
  .meta({ type: ['integer', 'null'] })

const fields = {
  groupName: requiredText('group name'),
  selectedDevices: z
    .array(hexadecimal('device EUI', 16), { error: 'The selected devices must be an array.' })
    .max(mostDevices, `The selected devices may not have more than ${mostDevices} entries.`)
    .nullish(),
  selectedGroup,
}

const variants = {
  create: z.object(fields),
  update: z.object({ groupId, ...fields }),
  delete: z.object({ groupId }),
}

/** The members that items may have, for all actions. */
const itemVariants = Object.values(variants)

/** Reads an item, or returns all faults that it shows by itself. */
function readItem(sent: unknown): GroupItem | RefusedItem {
  const item = openItem(sent)
  switch (item.action) {
    case 'none':
      return item
    case 'create': {
      const { data, error } = variants.create.safeParse(item.fields)
      return data ? { action: 'create', ...toFields(data) } : refuse(error)
    }
    case 'update': {
      const { data, error } = variants.update.safeParse(item.fields)
      return data ? { action: 'update', groupId: data.groupId, ...toFields(data) } : refuse(error)
    }
    case 'delete': {
      const { data, error } = variants.delete.safeParse(item.fields)
      return data ? { action: 'delete', groupId: data.groupId } : refuse(error)
    }
  }
}

function toFields(data: z.infer<typeof variants.create>): GroupItemFields {
  const { groupName: name, selectedDevices, selectedGroup: parentId } = data
  const euis = selectedDevices?.map(normalizeEui)
  return { name, euis: euis && [...new Set(euis)], parentId }
}

function refuse(error: z.ZodError | undefined): RefusedItem {
  return { action: 'none', errors: messagesOf(error) }
}

/** The DevEUIs that the items name. */
function euisOf(items: readonly (GroupItem | RefusedItem)[]): string[] {
  return items.flatMap((item) => ('euis' in item ? (item.euis ?? []) : []))
}

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    groupId: z.int().nullable().describe('Null for a new group that was refused.'),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'GroupBatchEntry' })

type BatchEntry = z.infer<typeof batchEntry>

export const batchGroups = endpoint({
  summary: 'Create, update and delete up to 1,000 groups; one entry per item, in order',
  description:
    'Devices are named by their DevEUI. A bad item is refused with its faults, and affects no other.',
  bodyLimit: bodyLimits.batch,
  body: z.object({ groups: batchItems('groups', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        groups: [
          {
            action: 'create',
            groupName: 'Ground floor',
            selectedDevices: ['00AA000000000001'],
            selectedGroup: 7,
          },
          { action: 'update', groupId: 8, groupName: 'Roof' },
          { action: 'delete', groupId: 9 },
        ],
      },
      answer: {
        data: [
          { status: true, message: 'Group added successfully', groupId: 12 },
          { status: true, message: 'Group updated successfully', groupId: 8 },
          { status: false, message: 'Group not found', groupId: 9 },
        ],
      },
    },
  ],
  change: changesOfBatch('group', 'groups', {
    create: 'created',
    update: 'changed',
    delete: 'deleted',
  }),
  async handle({ body, caller, record }, { db, now }) {
    const items = body.groups.map(readItem)
    return db.transaction(async (tx) => {
      const answer = { data: await runBatch(tx, caller, items, now()) }
      await record(tx, answer)
      return answer
    })
  },
})

async function runBatch(
  tx: Queryable,
  caller: Caller,
  items: readonly (GroupItem | RefusedItem)[],
  now: Date,
): Promise<BatchEntry[]> {
  const { organizationId } = caller
  await groupQueries.lockTrees(tx, organizationId)
  const found = await findByEui(tx, organizationId, euisOf(items))
  const ids = new Map(found.map(({ id, eui }) => [eui, id]))
  const entries: BatchEntry[] = []
  for (const item of items) {
    const groupId = 'groupId' in item ? item.groupId : null
    try {
      entries.push(await runItem(tx, caller, { item, ids, now }))
    } catch (error) {
      // Thrown before the item has changed anything.
      if (!(error instanceof HttpError)) throw error
      entries.push(entryOf(error, groupId))
    }
  }
  return entries
}

interface Work {
  item: GroupItem | RefusedItem
  /** Of the devices that the batch names, by DevEUI. */
  ids: ReadonlyMap<string, number>
  now: Date
}

/** @throws HttpError 404 or 422; then the item has changed nothing. */
async function runItem(
  tx: Queryable,
  caller: Caller,
  { item, ids, now }: Work,
): Promise<BatchEntry> {
  const { organizationId } = caller
  if (item.action === 'none') return refused(null, item.errors)
  if (item.action === 'delete') {
    const isGone = await groupQueries.remove(tx, organizationId, item.groupId, now)
    if (!isGone) throw groupNotFound()
    return done('Group deleted successfully', item.groupId)
  }
  const unknown = item.euis?.filter((eui) => !ids.has(eui)) ?? []
  if (unknown.length > 0) {
    const groupId = item.action === 'update' ? item.groupId : null
    return refused(groupId, [`The selected devices do not exist: ${unknown.join(', ')}.`])
  }
  const deviceIds = item.euis?.flatMap((eui) => ids.get(eui) ?? [])
  const fields = { name: item.name, deviceIds, parentId: item.parentId }
  if (item.action === 'create') {
    const { id } = await addGroup(tx, caller, fields, now)
    return done('Group added successfully', id)
  }
  await changeStoredGroup(tx, organizationId, { id: item.groupId, fields, now })
  return done('Group updated successfully', item.groupId)
}

function done(message: string, groupId: number): BatchEntry {
  return { status: true, message, groupId }
}

function entryOf({ message, errors }: HttpError, groupId: number | null): BatchEntry {
  if (errors) return refused(groupId, Object.values(errors).flat())
  return { status: false, message, groupId }
}

function refused(groupId: number | null, errors: string[]): BatchEntry {
  return {
    status: false,
    message: 'The group failed due to the validation errors.',
    groupId,
    errors,
  }
}

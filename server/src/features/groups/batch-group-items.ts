import { z } from 'zod'
import { hexadecimal, requiredInteger, requiredText } from '../../http/fields.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { messagesOf, openItem, type RefusedItem } from '../batches/batch-request.ts'

interface GroupItemFields {
  name: string
  /** In upper case. Undefined: none for a new group, unchanged for a stored one. */
  euis: string[] | undefined
  /** Null for a top-level group; undefined: top level for a new group, unchanged for a stored one. */
  parentId: number | null | undefined
}

/** One parsed item of POST /batch-group-requests. */
export type GroupItem =
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
export const itemVariants = Object.values(variants)

/** Reads an item, or returns all faults that it shows by itself. */
export function readItem(sent: unknown): GroupItem | RefusedItem {
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
export function euisOf(items: readonly (GroupItem | RefusedItem)[]): string[] {
  return items.flatMap((item) => ('euis' in item ? (item.euis ?? []) : []))
}

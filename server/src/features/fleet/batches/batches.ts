import { z } from 'zod'
import type { Database, Queryable } from '../../../db/connect.ts'
import { unavailable } from '../../../http/errors.ts'
import { wordOf } from '../../../http/fields.ts'
import { readLater } from '../../../http/unknown-members.ts'
import { saysPlace } from '../inventory/places.ts'
import { isLimitReached } from '../inventory/quota-queries.ts'

/** What the batch requests share. */

const mostItems = 1000
const itemNames = {
  devices: 'DeviceBatchItem',
  gateways: 'GatewayBatchItem',
  groups: 'GroupBatchItem',
} as const
const action = wordOf('action', ['create', 'update', 'delete'])
const variantNames = ['Create', 'Update', 'Delete']

/**
 * The items of a batch. They are read one by one: a bad item is refused and affects no other.
 * `variants` are the members that an item may have besides its action, for each action.
 */
export function batchItems(name: keyof typeof itemNames, variants: readonly z.ZodObject[]) {
  const items = variants.map(({ shape }, at) =>
    z.object({ ...shape, action }).meta({ id: `${variantNames[at]}${itemNames[name]}` }),
  )
  return z
    .array(readLater(z.union(items).meta({ id: itemNames[name] })), {
      error: ({ input }) =>
        input === undefined || input === null
          ? `The ${name} field is required.`
          : `The ${name} must be an array.`,
    })
    .max(mostItems, `The ${name} may not have more than ${mostItems} items.`)
}

/** A change needs a name, unless it has tags or a place. */
export function nameOrMore(member: string, label: string) {
  const isNamed = (changes: Record<string, unknown>) =>
    changes.tags !== undefined || saysPlace(changes) || changes[member] !== undefined
  // Told also where other members are wrong.
  const when = ({ value }: { value: unknown }) => isObject(value)
  const fault = { path: [member], error: `The ${label} field is required.`, when }
  return [isNamed, fault] as const
}

/** An item that cannot be read, with all of its faults. */
export interface RefusedItem {
  action: 'none'
  errors: string[]
}

/** An item with a known action and unread fields. */
interface OpenItem {
  action: 'create' | 'update' | 'delete'
  fields: Record<string, unknown>
}

export function openItem(sent: unknown): OpenItem | RefusedItem {
  if (!isObject(sent)) return { action: 'none', errors: ['The item must be an object.'] }
  const { data, error } = action.safeParse(sent.action)
  return data ? { action: data, fields: sent } : { action: 'none', errors: messagesOf(error) }
}

export function messagesOf(error: z.ZodError | undefined): string[] {
  return error?.issues.map(({ message }) => message) ?? []
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Another request took an EUI after the batch was planned and before its insert. */
export class EuiTakenMeanwhile extends Error {}

/** Every retry needs another request that takes an EUI or the last quota within milliseconds. */
const mostTries = 5

/** Runs a batch in one transaction, and again from the start when something was taken meanwhile. */
export async function transactBatch<T>(
  db: Database,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof EuiTakenMeanwhile) && !isLimitReached(error)) throw error
    }
  }
  throw unavailable(1)
}

import { z } from 'zod'
import { requiredInteger, requiredText } from '../../http/fields.ts'
import { isObject, messagesOf, openItem, type RefusedItem } from '../batches/batch-request.ts'
import { batchFields } from './gateway-fields.ts'
import { type GatewayRegistration, readRegistration } from './gateway-registration.ts'

/** One parsed item of POST /batch-gateway-requests, and what its answer repeats of it. */
export interface BatchItem {
  /** In lower case; an unknown action as it was sent, `''` when it was no text. */
  sentAction: string
  /** Of a creation: as it was sent, when it was text. */
  sentEui?: string
  task: BatchTask
}

export type BatchTask =
  | { action: 'create'; registration: GatewayRegistration }
  | { action: 'update'; id: number; name: string }
  | { action: 'delete'; id: number }
  | RefusedItem

const gatewayId = requiredInteger('gateway id')
const variants = {
  update: z.object({ gatewayId, gatewayName: requiredText('gateway name') }),
  delete: z.object({ gatewayId }),
}

/** The members that items may have, for all actions. */
export const itemVariants = [batchFields, ...Object.values(variants)]

/** Longer text is no action and no EUI, and is not repeated. */
const longestEcho = 255

/** Reads an item, or returns all of its faults. */
export function readItem(sent: unknown): BatchItem {
  const item = openItem(sent)
  switch (item.action) {
    case 'none':
      return { sentAction: (isObject(sent) && readEcho(sent.action)) || '', task: item }
    case 'create': {
      const eui = readEcho(item.fields.gatewayEui)
      const task = readCreation(item.fields)
      return { sentAction: item.action, ...(eui !== undefined && { sentEui: eui }), task }
    }
    case 'update': {
      const { data, error } = variants.update.safeParse(item.fields)
      const task = data && { id: data.gatewayId, name: data.gatewayName }
      return { sentAction: item.action, task: task ? { action: 'update', ...task } : refuse(error) }
    }
    case 'delete': {
      const { data, error } = variants.delete.safeParse(item.fields)
      const task: BatchTask = data ? { action: 'delete', id: data.gatewayId } : refuse(error)
      return { sentAction: item.action, task }
    }
  }
}

/** The contract requires address and region in a batch, on every network. */
const alwaysRequired = { gatewayIp: 'gateway ip', region: 'app region' }

function readCreation(fields: Record<string, unknown>): BatchTask {
  const { network, values, accountName, errors } = readRegistration(fields, alwaysRequired)
  const messages = Object.values(errors).flat()
  if (!network || messages.length > 0) return { action: 'none', errors: messages }
  return { action: 'create', registration: { network, values, accountName } }
}

function refuse(error: z.ZodError | undefined): RefusedItem {
  return { action: 'none', errors: messagesOf(error) }
}

function readEcho(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= longestEcho ? value : undefined
}

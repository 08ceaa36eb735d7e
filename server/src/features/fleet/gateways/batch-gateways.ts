import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changesOfBatch } from '../../../http/change-record.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { requiredInteger, requiredText } from '../../../http/fields.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import {
  batchItems,
  EuiTakenMeanwhile,
  isObject,
  messagesOf,
  nameOrMore,
  openItem,
  type RefusedItem,
  transactBatch,
} from '../batches/batches.ts'
import { checkPlace, type Place, placeFields, toPlace } from '../inventory/places.ts'
import { gatewayNotFound } from '../inventory/references.ts'
import { type Tags, tagsField } from '../inventory/tags.ts'
import { batchFields, findNameFault } from './gateway-fields.ts'
import {
  euiTakenMessage,
  type GatewayRegistration,
  readRegistration,
} from './gateway-registration.ts'
import { listReasons, lockAll, type RegisteredGateway } from './gateway-write-queries.ts'
import {
  changeGateways,
  type GatewayChange,
  insertGateways,
  removeGateways,
} from './gateway-writes.ts'

/** One parsed item of POST /batch-gateway-requests, and what its answer repeats of it. */
interface BatchItem {
  /** In lower case; an unknown action as it was sent, `''` when it was no text. */
  sentAction: string
  /** Of a creation: as it was sent, when it was text. */
  sentEui?: string
  task: BatchTask
}

type BatchTask =
  | { action: 'create'; registration: GatewayRegistration }
  | {
      action: 'update'
      id: number
      name: string | undefined
      tags: Tags | undefined
      place: Place | null | undefined
    }
  | { action: 'delete'; id: number }
  | RefusedItem

const gatewayId = requiredInteger('gateway id')
const variants = {
  update: z
    .object({
      gatewayId,
      gatewayName: requiredText('gateway name').optional(),
      tags: tagsField.optional(),
      ...placeFields,
    })
    .refine(...nameOrMore('gatewayName', 'gateway name'))
    .superRefine(checkPlace),
  delete: z.object({ gatewayId }),
}

/** The members that items may have, for all actions. */
const itemVariants = [batchFields, ...Object.values(variants)]

/** Longer text is no action and no EUI, and is not repeated. */
const longestEcho = 255

/** Reads an item, or returns all of its faults. */
function readItem(sent: unknown): BatchItem {
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
      const task = data && {
        ...{ id: data.gatewayId, name: data.gatewayName, tags: data.tags },
        place: toPlace(data),
      }
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
  const { network, errors, ...registration } = readRegistration(fields, alwaysRequired)
  const messages = Object.values(errors).flat()
  if (!network || messages.length > 0) return { action: 'none', errors: messages }
  return { action: 'create', registration: { network, ...registration } }
}

function refuse(error: z.ZodError | undefined): RefusedItem {
  return { action: 'none', errors: messagesOf(error) }
}

function readEcho(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= longestEcho ? value : undefined
}

/** The answer to one item of a batch. */
interface BatchEntry {
  status: boolean
  message: string
  gatewayEui?: string
  gatewayId: number | null
  action: string
  errors?: string[]
  /** Of a creation: why the network does not take the gateway for now. */
  warnings?: string[]
}

/** The answers, and the writes that make them true. */
interface BatchPlan {
  /** Answers to creations have no id yet. */
  entries: BatchEntry[]
  changes: GatewayChange[]
  removals: RegisteredGateway[]
  /** By the position of the item. Carried out after the removals, which may free an EUI. */
  additions: ReadonlyMap<number, GatewayRegistration>
}

/** The state that the items so far leave behind. */
interface Course {
  gateways: Map<number, GatewayChange & { isRemoved: boolean }>
  /** EUIs in use, by `gatewayPlaceOf`. */
  taken: Set<string>
  additions: Map<number, GatewayRegistration>
}

type Outcome = Pick<BatchEntry, 'status' | 'message' | 'gatewayId' | 'errors'>

/**
 * Answers the items in order, each in the world that the items before it leave behind. The plan is
 * the net result. `gateways` are the organization's gateways that the items name by id or EUI.
 */
function planBatch(items: readonly BatchItem[], gateways: readonly RegisteredGateway[]): BatchPlan {
  const course: Course = {
    gateways: new Map(gateways.map((gateway) => [gateway.id, { gateway, isRemoved: false }])),
    taken: new Set(gateways.map(({ network, eui }) => gatewayPlaceOf(network, eui))),
    additions: new Map(),
  }
  const entries = items.map(({ sentAction, sentEui, task }, position): BatchEntry => {
    const { status, message, gatewayId, errors } = take(course, task, position)
    return {
      status,
      message,
      ...(sentEui !== undefined && { gatewayEui: sentEui }),
      gatewayId,
      action: sentAction,
      ...(errors && { errors }),
    }
  })
  return { entries, ...sumUp(course) }
}

function take(course: Course, task: BatchTask, position: number): Outcome {
  switch (task.action) {
    case 'none':
      return refused(task.errors)
    case 'create': {
      const { network, values } = task.registration
      const place = gatewayPlaceOf(network.key, normalizeEui(values.gatewayEui ?? ''))
      if (course.taken.has(place)) return refused([euiTakenMessage])
      course.taken.add(place)
      course.additions.set(position, task.registration)
      return done('Gateway has been created successfully.', null)
    }
    case 'update':
    case 'delete': {
      const slot = course.gateways.get(task.id)
      if (!slot || slot.isRemoved) {
        return { status: false, message: gatewayNotFound, gatewayId: task.id }
      }
      if (task.action === 'update') {
        const network = findNetwork(slot.gateway.network)
        const { name, tags, place } = task
        const fault = network && name !== undefined && findNameFault(network, name)
        if (fault) return refused([fault])
        slot.name = name ?? slot.name
        slot.tags = tags ?? slot.tags
        if (place !== undefined) slot.place = place
        return done('Gateway updated successfully.', task.id)
      }
      slot.isRemoved = true
      course.taken.delete(gatewayPlaceOf(slot.gateway.network, slot.gateway.eui))
      return done('Gateway has been deleted.', task.id)
    }
  }
}

function sumUp({ gateways, additions }: Course): Omit<BatchPlan, 'entries'> {
  const slots = [...gateways.values()]
  return {
    changes: slots.flatMap(({ isRemoved, ...change }) =>
      isRemoved || (change.name ?? change.tags ?? change.place) === undefined ? [] : change,
    ),
    removals: slots.flatMap(({ gateway, isRemoved }) => (isRemoved ? gateway : [])),
    additions,
  }
}

/** The key of an EUI on a network, where an organization can have one gateway. */
function gatewayPlaceOf(network: string, eui: string): string {
  return `${network} ${eui}`
}

function done(message: string, gatewayId: number | null): Outcome {
  return { status: true, message, gatewayId }
}

function refused(errors: string[]): Outcome {
  const message = 'Gateway registration failed due to the validation errors.'
  return { status: false, message, gatewayId: null, errors }
}

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    /** Of a creation: the EUI as it was sent. */
    gatewayEui: z.string().optional(),
    /** Null when the item was refused. */
    gatewayId: z.int().nullable(),
    action: z.string(),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'GatewayBatchEntry' })

/**
 * The gateways exist when it answers; the networks are told afterwards, as the gateways'
 * `register_status` shows.
 */
export const batchGateways = endpoint({
  summary: 'Create, update and delete up to 1,000 gateways; one entry per item, in order',
  bodyLimit: bodyLimits.batch,
  body: z.object({ gateways: batchItems('gateways', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        gateways: [
          {
            action: 'create',
            gatewayName: 'Roof',
            gatewayIp: '192.168.2.1',
            gatewayBridge: 'chirpstack',
            description: 'North side',
            gatewayEui: '00BB000000000002',
            appRegion: 'EU868',
          },
          { action: 'update', gatewayId: 1, gatewayName: 'Tower' },
          { action: 'delete', gatewayId: 3 },
        ],
      },
      answer: {
        data: [
          {
            status: true,
            message: 'Gateway has been created successfully.',
            gatewayEui: '00BB000000000002',
            gatewayId: 2,
            action: 'create',
          },
          {
            status: true,
            message: 'Gateway updated successfully.',
            gatewayId: 1,
            action: 'update',
          },
          { status: false, message: 'Gateway not found!', gatewayId: 3, action: 'delete' },
        ],
      },
    },
  ],
  change: changesOfBatch('gateway', 'gateways', {
    create: 'registered',
    update: 'changed',
    delete: 'deleted',
  }),
  async handle({ body, caller, record }, services: ProvisioningServices) {
    const items = body.gateways.map(readItem)
    const data = await transactBatch(services.db, async (tx) => {
      const entries = await runBatch(tx, services, caller, { items, now: services.now() })
      await record(tx, { data: entries })
      return entries
    })
    services.provisioner.wake()
    announce(services, caller.organizationId, { kind: 'gateway' })
    return { data }
  },
})

type Dependencies = Pick<ProvisioningServices, 'sealer'>

/** Carries out the valid items of a batch, and answers each item. */
async function runBatch(
  tx: Queryable,
  { sealer }: Dependencies,
  caller: Caller,
  { items, now }: { items: readonly BatchItem[]; now: Date },
): Promise<BatchEntry[]> {
  const gateways = await lockMeant(tx, caller.organizationId, items)
  const plan = planBatch(items, gateways)
  await changeGateways(tx, caller.organizationId, plan.changes, now)
  await removeGateways(tx, caller.organizationId, plan.removals, now)
  const ids = await addGateways(tx, { sealer }, caller, { plan, now })
  const reasons = await listReasons(tx, caller.organizationId, [...ids.values()])
  return plan.entries.map((entry, position) => {
    const gatewayId = ids.get(position) ?? entry.gatewayId
    const reason = ids.has(position) ? reasons.get(gatewayId ?? 0) : undefined
    return { ...entry, gatewayId, ...(reason !== undefined && { warnings: [reason] }) }
  })
}

/** Locks the gateways that the items name until the transaction ends. */
function lockMeant(
  tx: Queryable,
  organizationId: number,
  items: readonly BatchItem[],
): Promise<RegisteredGateway[]> {
  const ids = items.flatMap(({ task }) =>
    task.action === 'update' || task.action === 'delete' ? task.id : [],
  )
  const euis = items.flatMap(({ task }) =>
    task.action === 'create' ? normalizeEui(task.registration.values.gatewayEui ?? '') : [],
  )
  return lockAll(tx, organizationId, { ids, euis })
}

/** Returns the ids of the new gateways by the positions of their items. */
async function addGateways(
  tx: Queryable,
  { sealer }: Dependencies,
  caller: Caller,
  { plan: { additions }, now }: { plan: BatchPlan; now: Date },
): Promise<Map<number, number>> {
  if (additions.size === 0) return new Map()
  const registrations = [...additions.values()]
  const ids = await insertGateways(tx, sealer, caller, { registrations, now })
  if (!ids) throw new EuiTakenMeanwhile()
  return new Map([...additions.keys()].map((position, index) => [position, ids[index] ?? 0]))
}

import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import { gatewayNotFound } from '../inventory/references.ts'
import type { BatchItem, BatchTask } from './batch-items.ts'
import { findNameFault } from './gateway-fields.ts'
import { euiTakenMessage, type GatewayRegistration } from './gateway-registration.ts'
import type { RegisteredGateway } from './gateway-write-queries.ts'
import type { GatewayChange } from './gateway-writes.ts'

/** The answer to one item of a batch. */
export interface BatchEntry {
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
export interface BatchPlan {
  /** Answers to creations have no id yet. */
  entries: BatchEntry[]
  changes: GatewayChange[]
  removals: RegisteredGateway[]
  /** By the position of the item. Carried out after the removals, which may free an EUI. */
  additions: ReadonlyMap<number, GatewayRegistration>
}

/** The state that the items so far leave behind. */
interface Course {
  gateways: Map<number, { gateway: RegisteredGateway; newName?: string; isRemoved: boolean }>
  /** EUIs in use, by `gatewayPlaceOf`. */
  taken: Set<string>
  additions: Map<number, GatewayRegistration>
}

type Outcome = Pick<BatchEntry, 'status' | 'message' | 'gatewayId' | 'errors'>

/**
 * Answers the items in order, each in the world that the items before it leave behind. The plan is
 * the net result. `gateways` are the organization's gateways that the items name by id or EUI.
 */
export function planBatch(
  items: readonly BatchItem[],
  gateways: readonly RegisteredGateway[],
): BatchPlan {
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
        const fault = network && findNameFault(network, task.name)
        if (fault) return refused([fault])
        slot.newName = task.name
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
    changes: slots.flatMap(({ gateway, newName: name, isRemoved }) =>
      name !== undefined && !isRemoved ? { gateway, name } : [],
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

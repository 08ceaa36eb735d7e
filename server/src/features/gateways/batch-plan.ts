import { normalizeEui } from '../../lora/eui.ts'
import { findNetwork } from '../../networks/index.ts'
import { gatewayNotFound } from '../inventory/references.ts'
import type { BatchItem, BatchTask } from './batch-items.ts'
import { findNameFault } from './gateway-fields.ts'
import { euiTakenMessage, type GatewayRegistration } from './gateway-registration.ts'
import type { RegisteredGateway } from './gateway-write-queries.ts'
import type { GatewayChange } from './gateway-writes.ts'

/** What one item of a batch is answered. */
export interface BatchEntry {
  status: boolean
  message: string
  gatewayEui?: string
  gatewayId: number | null
  action: string
  errors?: string[]
  /** Of a creation: why the network will not have the gateway as things are. */
  warnings?: string[]
}

/** The answers, and what must be done so that they are true. */
export interface BatchPlan {
  /** Those of creations still without the id. */
  entries: BatchEntry[]
  changes: GatewayChange[]
  removals: RegisteredGateway[]
  /** After the removals: an EUI may be given up and taken again. By the position of the item. */
  additions: ReadonlyMap<number, GatewayRegistration>
}

/** What the items so far leave behind. */
interface Course {
  gateways: Map<number, { gateway: RegisteredGateway; newName?: string; isRemoved: boolean }>
  /** EUIs that are in use, each with its network. */
  taken: Set<string>
  additions: Map<number, GatewayRegistration>
}

type Outcome = Pick<BatchEntry, 'status' | 'message' | 'gatewayId' | 'errors'>

/**
 * Answers the items one after the other, each in the world that those before it leave behind, and
 * sums up what that comes to. `gateways` are those of the organization that the items can mean.
 */
export function planBatch(
  items: readonly BatchItem[],
  gateways: readonly RegisteredGateway[],
): BatchPlan {
  const course: Course = {
    gateways: new Map(gateways.map((gateway) => [gateway.id, { gateway, isRemoved: false }])),
    taken: new Set(gateways.map(({ network, eui }) => placeOf(network, eui))),
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
      const place = placeOf(network.key, normalizeEui(values.gatewayEui ?? ''))
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
      course.taken.delete(placeOf(slot.gateway.network, slot.gateway.eui))
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

/** Where no two gateways of an organization can be. */
function placeOf(network: string, eui: string): string {
  return `${network} ${eui}`
}

function done(message: string, gatewayId: number | null): Outcome {
  return { status: true, message, gatewayId }
}

function refused(errors: string[]): Outcome {
  const message = 'Gateway registration failed due to the validation errors.'
  return { status: false, message, gatewayId: null, errors }
}

import { status } from '@grpc/grpc-js'
import { type CallContext, StatusError } from './grpc-server.ts'
import type { StoredApplication, StoredDevice } from './store.ts'

export function requireDevice(context: CallContext, devEui: string): StoredDevice {
  const device = context.store.devices.get(devEui.toLowerCase())
  const application = context.store.applications.get(device?.record.getApplicationId() ?? '')
  return requireVisible(context, device, { id: devEui, tenantId: application?.tenantId })
}

export function requireApplication(context: CallContext, id: string): StoredApplication {
  const application = context.store.applications.get(id)
  return requireVisible(context, application, { id, tenantId: application?.tenantId })
}

/**
 * Refuses as ChirpStack does: a tenant's key gets the same answer for missing and for foreign
 * objects.
 */
export function requireVisible<Item>(
  { keyKind, store }: CallContext,
  item: Item | undefined,
  { id, tenantId }: { id: string; tenantId: string | undefined },
): Item {
  if (keyKind === 'tenant' && (!item || tenantId !== store.tenantId)) throw denied()
  if (!item) throw missing(id)
  return item
}

/** The message `Object does not exist (id: …)` is from chirpstack/src/storage/error.rs. */
function missing(id: string): StatusError {
  return new StatusError(status.NOT_FOUND, `Object does not exist (id: ${id})`)
}

/** ChirpStack's refusal of a key that lacks the right. Its message is empty. */
export function denied(): StatusError {
  return new StatusError(status.UNAUTHENTICATED, '')
}

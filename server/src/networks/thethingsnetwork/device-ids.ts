import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import { allowMissing, isMissing } from '../rest.ts'
import type { Session } from './client.ts'
import { readServers, type ServerAddresses, serverFields } from './server-names.ts'

const mostRememberedIds = 10_000

/** A device of the account's application as the identity server knows it. */
export interface FoundDevice {
  id: string
  /** 16 upper-case digits. */
  joinEui: string
  /** Empty for each server that the identity server does not know. */
  servers: ServerAddresses
}

/** The id that The Things Stack's own console gives a device. */
export function usualDeviceId(devEui: string): string {
  return `eui-${devEui.toLowerCase()}`
}

export type Registry = 'identity' | 'join' | 'network' | 'application'

const prefixes = { identity: '', join: '/js', network: '/ns', application: '/as' }

/** Path of a device in one of the four registries. */
export function devicePath({ account }: Session, registry: Registry, deviceId: string): string {
  const application = encodeURIComponent(account.applicationId)
  const device = encodeURIComponent(deviceId)
  return `${prefixes[registry]}/applications/${application}/devices/${device}`
}

/** The named members of a device; undefined if the registry does not have it. */
export async function readPart(
  session: Session,
  registry: Registry,
  id: string,
  field_mask: string,
): Promise<JsonObject | undefined> {
  const path = devicePath(session, registry, id)
  return allowMissing(session.askCluster({ method: 'GET', path, query: { field_mask } }))
}

/**
 * The device with this DevEUI, whatever its id; only those of the account's application are seen.
 */
export async function findDevice(
  session: Session,
  devEui: string,
): Promise<FoundDevice | undefined> {
  const { end_devices: list } = await session.askIdentityServer({
    method: 'GET',
    path: `/search/applications/${encodeURIComponent(session.account.applicationId)}/devices`,
    query: { dev_eui_contains: devEui, field_mask: ['ids', ...serverFields].join(',') },
  })
  const devices = Array.isArray(list) ? list.filter(isObject) : []
  const device = devices.find((one) => textOf(idsOf(one).dev_eui).toUpperCase() === devEui)
  if (!device) return undefined
  const found = {
    id: textOf(idsOf(device).device_id),
    joinEui: textOf(idsOf(device).join_eui).toUpperCase(),
    servers: readServers(device),
  }
  if (found.id !== usualDeviceId(devEui)) remember(session, devEui, found.id)
  return found
}

/**
 * Makes a call about one device by its usual id, and once more by the id under which it is found:
 * devices that were registered by hand may have any id.
 */
export async function callAboutDevice<Result>(
  session: Session,
  devEui: string,
  call: (deviceId: string) => Promise<Result>,
): Promise<Result> {
  const assumed = session.deviceIds.get(devEui) ?? usualDeviceId(devEui)
  try {
    return await call(assumed)
  } catch (error) {
    if (!isMissing(error)) throw error
    session.deviceIds.delete(devEui)
    const found = await findDevice(session, devEui)
    if (!found) throw missingDevice(devEui)
    if (found.id === assumed) throw error
    return call(found.id)
  }
}

export function missingDevice(devEui: string): NetworkError {
  return new NetworkError(
    'refused',
    `The Things Stack has no device with DevEUI ${devEui} in the account's application.`,
  )
}

function remember({ deviceIds }: Session, devEui: string, deviceId: string) {
  if (deviceIds.size >= mostRememberedIds) deviceIds.clear()
  deviceIds.set(devEui, deviceId)
}

export function idsOf(thing: JsonObject): JsonObject {
  return isObject(thing.ids) ? thing.ids : {}
}

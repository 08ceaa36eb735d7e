// A device is in four registries, each of which has a part of it
// (sdk/js/src/service/devices/split.js).
import { textOf } from '../answer-fields.ts'
import { anyJoinEui } from '../forms.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'
import { isFinal, NetworkError } from '../network-error.ts'
import { allowMissing } from '../rest.ts'
import { isInCloud } from './account.ts'
import type { Session } from './client.ts'
import {
  callAboutDevice,
  devicePath,
  type FoundDevice,
  findDevice,
  type Registry,
  usualDeviceId,
} from './device-ids.ts'
import { versionsOf } from './frequency-plans.ts'
import { isSameServer, readExpectedName, sameServers, serverFields } from './server-names.ts'

/**
 * Creates the device in the identity server, and then in the others. Repeated after a crash at any
 * point, it finds the device and completes it. It looks for the device first: with another JoinEUI
 * The Things Stack would take the same DevEUI a second time.
 */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const found = await findDevice(session, device.devEui)
  if (found) return adoptDevice(session, found, device)
  const id = usualDeviceId(device.devEui)
  // Refused when the EUIs are in use in another application, or for another tenant.
  await createDevice(session, id, device)
  try {
    await writeKeys(session, id, device)
    await writeRadio(session, id, device)
    await writeApplication(session, id, device)
  } catch (error) {
    // After an outage the call may have arrived: the next attempt completes the device.
    if (!isFinal(error)) throw error
    await deleteEverywhere(session, id).catch(() => undefined)
    throw error
  }
}

/** Changes the name and leaves everything else as the owner set it. */
export async function renameDevice(session: Session, devEui: string, name: string): Promise<void> {
  await callAboutDevice(session, devEui, (id) => updateDevice(session, id, { name }))
}

/** Finds and removes only devices of the account's application. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  const found = await findDevice(session, devEui)
  if (found) await deleteEverywhere(session, found.id)
  session.deviceIds.delete(devEui)
}

async function adoptDevice(session: Session, found: FoundDevice, device: NetworkDevice) {
  const { devEui, joinEui, name } = device
  const version = await readVersion(session, found.id)
  if (version === undefined) await requireOwnCluster(session, found, devEui)
  if (joinEui !== found.joinEui && joinEui !== anyJoinEui) {
    throw new NetworkError(
      'refused',
      `The DevEUI ${devEui} is registered at The Things Stack with the JoinEUI ${found.joinEui}.`,
    )
  }
  const adopted = { ...device, joinEui: found.joinEui }
  if (version === 'MAC_V1_1') {
    throw new NetworkError(
      'refused',
      `The DevEUI ${devEui} is registered at The Things Stack for LoRaWAN 1.1, which takes a second key.`,
    )
  }
  // Keeps the server names that the owner entered.
  const own = sameServers(session.serverName)
  const untold = serverFields.filter((field) => found.servers[field] === '')
  const told = Object.fromEntries(untold.map((field) => [field, own[field]]))
  await updateDevice(session, found.id, { name, ...told })
  await writeKeys(session, found.id, adopted, { ...found.servers, ...told })
  await writeRadio(session, found.id, adopted, version !== undefined)
  await writeApplication(session, found.id, adopted)
}

/** Refuses a device that is registered with the network server of another cluster. */
async function requireOwnCluster(session: Session, found: FoundDevice, devEui: string) {
  const { network_server_address: address } = found.servers
  if (isSameServer(address, session.account.cluster.hostname)) return
  if (isSameServer(address, session.serverName)) return
  for (const registry of ['join', 'application'] as const) {
    if (await hasDevice(session, registry, found.id)) return
  }
  throw new NetworkError(
    'refused',
    `The DevEUI ${devEui} is registered in another cluster of The Things Stack, ${address}.`,
  )
}

async function createDevice(session: Session, id: string, device: NetworkDevice) {
  const path = `/applications/${encodeURIComponent(session.account.applicationId)}/devices`
  const create = () => {
    const servers = sameServers(session.serverName)
    const end_device = { ids: idsFor(session, id, device), name: device.name, ...servers }
    return session.askIdentityServer({ method: 'POST', path, body: { end_device } })
  }
  try {
    await create()
  } catch (error) {
    const name = readExpectedName(error)
    // In the clouds another name means another cluster.
    if (name === undefined || isInCloud(session.account)) throw error
    session.serverName = name
    await create()
  }
}

async function updateDevice(session: Session, id: string, changes: Record<string, string>) {
  await session.askIdentityServer({
    method: 'PUT',
    path: devicePath(session, 'identity', id),
    body: {
      end_device: { ids: idsFor(session, id), ...changes },
      field_mask: { paths: Object.keys(changes) },
    },
  })
}

/** The AppKey of LoRaWAN 1.0.x; 1.1 has a NwkKey beside it. */
async function writeKeys(
  session: Session,
  id: string,
  device: NetworkDevice,
  servers = sameServers(session.serverName),
) {
  const end_device = {
    ids: idsFor(session, id, device),
    network_server_address: servers.network_server_address,
    application_server_address: servers.application_server_address,
    root_keys: { app_key: { key: device.appKey } },
  }
  const paths = ['network_server_address', 'application_server_address', 'root_keys.app_key.key']
  const path = devicePath(session, 'join', id)
  await session.askCluster({
    method: 'PUT',
    path,
    body: { end_device, field_mask: { paths } },
  })
}

/** A device that the network server has keeps its LoRaWAN version, and with it its session. */
async function writeRadio(session: Session, id: string, device: NetworkDevice, isKnown = false) {
  const plan = device.frequencyPlan ?? ''
  const settings = {
    supports_join: true,
    frequency_plan_id: plan,
    ...(isKnown ? {} : versionsOf(plan)),
  }
  const end_device = { ids: idsFor(session, id, device), ...settings }
  const path = devicePath(session, 'network', id)
  await session.askCluster({
    method: 'PUT',
    path,
    body: { end_device, field_mask: { paths: Object.keys(settings) } },
  })
}

async function writeApplication(session: Session, id: string, device: NetworkDevice) {
  const end_device = { ids: idsFor(session, id, device) }
  const paths = ['ids.device_id', 'ids.dev_eui', 'ids.join_eui']
  const path = devicePath(session, 'application', id)
  await session.askCluster({ method: 'PUT', path, body: { end_device, field_mask: { paths } } })
}

/** Undefined where the network server does not have the device. */
async function readVersion(session: Session, id: string): Promise<string | undefined> {
  const device = await readPart(session, 'network', id, 'lorawan_version')
  return device && textOf(device.lorawan_version)
}

async function hasDevice(session: Session, registry: Registry, id: string): Promise<boolean> {
  return (await readPart(session, registry, id, 'ids')) !== undefined
}

async function readPart(
  session: Session,
  registry: Registry,
  id: string,
  field_mask: string,
): Promise<JsonObject | undefined> {
  const path = devicePath(session, registry, id)
  return allowMissing(session.askCluster({ method: 'GET', path, query: { field_mask } }))
}

/**
 * The identity server comes last: while it has the device, a repeated call finds and deletes it.
 */
async function deleteEverywhere(session: Session, id: string): Promise<void> {
  for (const registry of ['application', 'join', 'network', 'identity'] as const) {
    const ask = registry === 'identity' ? session.askIdentityServer : session.askCluster
    await allowMissing(ask({ method: 'DELETE', path: devicePath(session, registry, id) }))
  }
}

function idsFor(
  { account }: Session,
  deviceId: string,
  device?: Pick<NetworkDevice, 'devEui' | 'joinEui'>,
) {
  return {
    device_id: deviceId,
    application_ids: { application_id: account.applicationId },
    ...(device ? { dev_eui: device.devEui, join_eui: device.joinEui } : {}),
  }
}

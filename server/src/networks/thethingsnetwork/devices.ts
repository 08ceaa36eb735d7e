// A device is in four registries, each of which has a part of it
// (sdk/js/src/service/devices/split.js).

import { objectOf, textOf } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherKeys } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { NetworkDevice, NetworkPlace } from '../network.ts'
import { isFinal, NetworkError, undo } from '../network-error.ts'
import { allowMissing } from '../rest.ts'
import { isInCloud } from './account.ts'
import type { Session } from './client.ts'
import {
  callAboutDevice,
  devicePath,
  type FoundDevice,
  findDevice,
  type Registry,
  readPart,
  usualDeviceId,
} from './device-ids.ts'
import { locationsOf } from './location.ts'
import { applicationPart, joinPart, networkPart, readRadio } from './radio.ts'
import {
  isSameServer,
  readExpectedName,
  type ServerAddresses,
  sameServers,
} from './server-names.ts'

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
    await writeRadio(session, id, device, undefined)
  } catch (error) {
    // After an outage the call may have arrived: the next attempt completes the device.
    if (!isFinal(error)) throw error
    return undo(error, () => deleteEverywhere(session, id))
  }
}

/** Changes name and place and leaves everything else as the owner set it. */
export async function renameDevice(
  session: Session,
  devEui: string,
  name: string,
  place?: NetworkPlace,
): Promise<void> {
  const changes = { name, ...locationsOf(place) }
  await callAboutDevice(session, devEui, (id) => updateDevice(session, id, changes))
}

/** Finds and removes only devices of the account's application. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  const found = await findDevice(session, devEui)
  if (found) await deleteEverywhere(session, found.id)
  session.deviceIds.delete(devEui)
}

async function adoptDevice(session: Session, found: FoundDevice, device: NetworkDevice) {
  const { devEui, joinEui, name } = device
  const known = await readRadio(session, found.id)
  if (!known) await requireOwnCluster(session, found, devEui)
  const hasOther = joinEui !== found.joinEui && joinEui !== anyJoinEui
  if (isJoining(device) && hasOther) {
    throw registered(devEui, `with the JoinEUI ${found.joinEui}; here it is ${joinEui}.`)
  }
  if (known) {
    // The class is set from here if the registration says one.
    const { version, activation, devAddr } = known
    refuseMismatch('The Things Stack', { version, activation }, device)
    if (!isJoining(device)) {
      const address = [devAddr, device.radio?.devAddr] as const
      refuseOtherKeys('The Things Stack', device, { 'device address': address })
    } else if (device.keepsOtherKey) await refuseOtherRootKeys(session, found.id, device)
  }
  const adopted = { ...device, joinEui: found.joinEui }
  // Keeps the server names that the owner entered.
  const own = Object.entries(serversOf(session, device))
  const told = Object.fromEntries(
    own.filter(([field]) => found.servers[field as keyof ServerAddresses] === ''),
  )
  await updateDevice(session, found.id, { name, ...locationsOf(device.place), ...told })
  await writeKeys(session, found.id, adopted, { ...found.servers, ...told })
  await writeRadio(session, found.id, adopted, known)
}

/** Compares the keys of a join if the API key may see them. */
async function refuseOtherRootKeys(session: Session, id: string, device: NetworkDevice) {
  const mask = 'root_keys.app_key.key,root_keys.nwk_key.key'
  const part = await readPart(session, 'join', id, mask).catch((error) => {
    if (error instanceof NetworkError && error.kind === 'unauthorized') return undefined
    throw error
  })
  const keys = objectOf(part?.root_keys)
  refuseOtherKeys('The Things Stack', device, {
    AppKey: [textOf(objectOf(keys.app_key).key), device.appKey],
    NwkKey: [textOf(objectOf(keys.nwk_key).key), device.radio?.networkKey],
  })
}

function registered(devEui: string, how: string): NetworkError {
  const words = `The DevEUI ${devEui} is registered at The Things Stack ${how}`
  return new NetworkError('refused', words)
}

/** A device without a join needs no join server. */
function serversOf({ serverName }: Session, device: NetworkDevice): Partial<ServerAddresses> {
  const { join_server_address, ...others } = sameServers(serverName)
  return isJoining(device) ? { ...others, join_server_address } : others
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
    const servers = serversOf(session, device)
    const ids = idsFor(session, id, device)
    const end_device = { ids, name: device.name, ...locationsOf(device.place), ...servers }
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

async function updateDevice(session: Session, id: string, changes: Record<string, unknown>) {
  await session.askIdentityServer({
    method: 'PUT',
    path: devicePath(session, 'identity', id),
    body: {
      end_device: { ids: idsFor(session, id), ...changes },
      field_mask: { paths: Object.keys(changes) },
    },
  })
}

/** A device without a join has no part at the join server. */
async function writeKeys(
  session: Session,
  id: string,
  device: NetworkDevice,
  servers = sameServers(session.serverName),
) {
  if (!isJoining(device)) return
  const { network_server_address, application_server_address } = servers
  const { values, paths } = joinPart(device)
  await writePart(session, 'join', id, device, {
    values: { network_server_address, application_server_address, ...values },
    paths: ['network_server_address', 'application_server_address', ...paths],
  })
}

async function writeRadio(
  session: Session,
  id: string,
  device: NetworkDevice,
  known: KnownRadio | undefined,
) {
  await writePart(session, 'network', id, device, networkPart(device, known))
  const { values, paths } = applicationPart(device, known)
  await writePart(session, 'application', id, device, {
    values,
    paths: ['ids.device_id', 'ids.dev_eui', 'ids.join_eui', ...paths],
  })
}

async function writePart(
  session: Session,
  registry: Registry,
  id: string,
  device: NetworkDevice,
  { values, paths }: { values: Record<string, unknown>; paths: string[] },
) {
  const end_device = { ids: idsFor(session, id, device), ...values }
  const path = devicePath(session, registry, id)
  await session.askCluster({ method: 'PUT', path, body: { end_device, field_mask: { paths } } })
}

async function hasDevice(session: Session, registry: Registry, id: string): Promise<boolean> {
  return (await readPart(session, registry, id, 'ids')) !== undefined
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
    ...(device ? { dev_eui: device.devEui } : {}),
    // A device without a join may have none.
    ...(device?.joinEui ? { join_eui: device.joinEui } : {}),
  }
}

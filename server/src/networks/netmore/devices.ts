import { objectOf, objectsOf, textOf, toListed } from '../answer-fields.ts'
import {
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
  refuseOtherProfile,
} from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { allowMissing, RefusedCall } from '../rest.ts'
import type { NetmoreAccount, Session } from './client.ts'

// Version, activation, keys and class of a device at Netmore: CreateLoraDevice and PatchLoraDevice of
// its API. Which keys belong to which activation is that of LoRaWAN.

/** The keys of a join, or the session of a device without one. */
function activationOf(device: NetworkDevice): JsonObject {
  const { joinEui, appKey, radio } = device
  const key = appKey.toLowerCase()
  const networkKey = radio?.networkKey?.toLowerCase()
  if (!isJoining(device)) {
    const session = { devAddr: radio?.devAddr?.toLowerCase(), nwkSKey: networkKey, appSKey: key }
    return { loraVersion: 'V103', activationMethod: 'ABP', ...session }
  }
  const isOf11 = radio?.version === '1.1'
  return {
    loraVersion: isOf11 ? 'V11' : 'V103',
    activationMethod: 'OTAA',
    appEui: joinEui.toLowerCase(),
    appKey: key,
    ...(isOf11 && { nwkKey: networkKey }),
  }
}

/**
 * The members in which a device of Netmore differs. A 1.0.x version stays. Refuses a device for
 * another version or activation: it works as it is.
 */
function findChanges(known: JsonObject, wanted: JsonObject, device: NetworkDevice): JsonObject {
  const { deviceClass: _settable, ...radio } = radioOf(known)
  refuseMismatch('Netmore', radio, device)
  refuseOtherProfile('Netmore', textOf(known.profId), device)
  refuseOtherKeys('Netmore', device, keysOf(known, wanted))
  // What the registration leaves open stays: the version within 1.0.x, the class, and the profile.
  const isOpen: Record<string, boolean> = {
    loraVersion: known.loraVersion !== undefined,
    class: !device.radio && known.class !== undefined,
    profId:
      (device.profile === undefined || !!device.isProfileOfType) && known.profId !== undefined,
    appEui: device.joinEui === anyJoinEui && textOf(known.appEui) !== '',
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      return value !== undefined && !isOpen[name] && !isSame(known[name], value)
    }),
  )
}

/** How Netmore has a device, as far as it says. */
function radioOf(known: JsonObject): KnownRadio {
  const { loraVersion, activationMethod, class: letter, devAddr } = known
  return {
    ...(loraVersion !== undefined && { version: loraVersion === 'V11' ? '1.1' : '1.0' }),
    ...(activationMethod !== undefined && {
      activation: activationMethod === 'ABP' ? 'abp' : 'otaa',
    }),
    ...(letter !== undefined && { deviceClass: letter === 'C' ? 'C' : 'A' }),
    ...(activationMethod === 'ABP' && { devAddr: textOf(devAddr).toUpperCase() || undefined }),
  }
}

const keyNames = {
  appKey: 'AppKey',
  nwkKey: 'NwkKey',
  devAddr: 'device address',
  nwkSKey: 'NwkSKey',
  appSKey: 'AppSKey',
}

function keysOf(known: JsonObject, wanted: JsonObject) {
  const keys = Object.entries(keyNames).map(([member, name]) => {
    return [name, [textOf(known[member]), textOf(wanted[member])]] as const
  })
  return Object.fromEntries(keys)
}

function isSame(known: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return known === wanted
  return textOf(known).toLowerCase() === wanted.toLowerCase()
}

// Devices at Netmore Connect: createDevice, getLoraDeviceData, patchDeviceLoRaWAN.

/** Creates the device, or adopts it if it exists, for example after a crash. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const { api, account } = session
  const body = { ...toRecord(account, device), loraDevice: toLoraDevice(account, device) }
  try {
    await api.call({ method: 'POST', path: `${groupPath(account)}/devices`, body })
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    // The status for a device that exists is not documented, so the device is looked up.
    const found = await findDevice(session, device.devEui)
    if (!found) throw error
    await adoptDevice(session, device, found)
  }
}

export async function renameDevice(session: Session, devEui: string, name: string): Promise<void> {
  if (await findOwnDevice(session, devEui)) return patch(session, devEui, { name })
  throw new NetworkError(
    'refused',
    `Netmore has no device ${devEui} in the account's device group.`,
  )
}

/**
 * A device has to be taken out of service before it can be deleted (PatchDeviceRequest, `deleted`).
 */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (!(await findOwnDevice(session, devEui))) return
  await patch(session, devEui, { installed: false, loraDevice: { provisioned: false } })
  await patch(session, devEui, { deleted: true })
}

/** Lists the account's device group, which Netmore gives at once. */
export async function* listDevices({ api, account }: Session): AsyncGenerator<ListedThing[]> {
  const { body } = await api.call({ method: 'GET', path: `${groupPath(account)}/devices` })
  const devices = objectsOf(body).filter(({ deleted }) => deleted !== true)
  yield devices.flatMap(({ loraDevEui, name, loraDevice }) =>
    toListed(loraDevEui, name).map((listed) => ({
      ...listed,
      radio: radioOf(objectOf(loraDevice)),
    })),
  )
}

export function groupPath({ customerId, deviceGroupId }: NetmoreAccount): string {
  return `/customers/${encodeURIComponent(customerId)}/deviceGroups/${encodeURIComponent(deviceGroupId)}`
}

export function pathOf(devEui: string): string {
  return `/devices/LoRaWAN/${devEui.toLowerCase()}`
}

/** Sends only what differs: a session that is written again could start over. */
async function adoptDevice(
  session: Session,
  device: NetworkDevice,
  found: JsonObject,
): Promise<void> {
  const { account } = session
  if (!isOwn(account, found)) {
    throw new NetworkError(
      'refused',
      `The DevEUI ${device.devEui} is in use at Netmore in another device group.`,
    )
  }
  const { devEui: _unchangeable, ...wanted } = toLoraDevice(account, device)
  const loraDevice = findChanges(objectOf(found.loraDevice), wanted, device)
  await patch(session, device.devEui, { ...toRecord(account, device), loraDevice })
}

function toRecord({ exportConfigGroupId }: NetmoreAccount, { name }: NetworkDevice): JsonObject {
  return { name, ...(exportConfigGroupId ? { exportConfigGroupId } : {}) }
}

function toLoraDevice({ profileId }: NetmoreAccount, device: NetworkDevice): JsonObject {
  return {
    devEui: device.devEui.toLowerCase(),
    class: device.radio?.deviceClass ?? 'A',
    ...activationOf(device),
    // Without it the device is known but not in service.
    provisioned: true,
    profId: device.profile === undefined ? profileId : Number(device.profile),
    ...(device.frequencyPlan === undefined ? {} : { channelPlan: device.frequencyPlan }),
  }
}

async function patch({ api }: Session, devEui: string, body: JsonObject): Promise<void> {
  await api.call({ method: 'PATCH', path: pathOf(devEui), body })
}

async function findOwnDevice(session: Session, devEui: string): Promise<JsonObject | undefined> {
  const device = await findDevice(session, devEui)
  return device && isOwn(session.account, device) ? device : undefined
}

function isOwn({ deviceGroupId }: NetmoreAccount, device: JsonObject): boolean {
  return device.deviceGroupId === deviceGroupId
}

/** Undefined for a deleted device, of which Netmore keeps the record. */
async function findDevice({ api }: Session, devEui: string): Promise<JsonObject | undefined> {
  const answer = await allowMissing(api.call({ method: 'GET', path: pathOf(devEui) }))
  const device = answer && objectOf(answer.body)
  return device?.deleted === true ? undefined : device
}

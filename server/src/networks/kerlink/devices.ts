import { textOf } from '../answer-fields.ts'
import { revisionOfModel, wholeVersion } from '../device-model.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherKeys } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { find, linkedId, list, remove, type Session } from './client.ts'

// Activation, session and class of an end device, EndDeviceDto of the GMS REST API 3.2.6. It has no
// NwkKey, which a join of LoRaWAN 1.1 needs. Only the class can be changed (patchEndDevice).

/** The keys of a join, or the session of a device without one. */
function keysOf(device: NetworkDevice) {
  const { joinEui, appKey, radio } = device
  const key = appKey.toUpperCase()
  if (isJoining(device)) return { appEui: joinEui.toUpperCase(), appKey: key }
  return { devAddr: radio?.devAddr, nwkSKey: radio?.networkKey, appSKey: key }
}

/** Undefined leaves the class of a device as it is. */
function classOf({ radio }: NetworkDevice): { classType: string } | undefined {
  return radio && { classType: radio.deviceClass }
}

/** How Wanesy has a device. Its class is set from here if the registration says one. */
function radioOf(found: JsonObject): KnownRadio {
  const [version, address] = [textOf(found.macVersion), textOf(found.devAddr).toUpperCase()]
  const deviceClass = textOf(found.classType)
  const isOfJoin = (textOf(found.activation) || 'OTAA') === 'OTAA'
  return {
    ...(version !== '' && { version: version.startsWith('1.1') ? '1.1' : '1.0' }),
    activation: isOfJoin ? 'otaa' : 'abp',
    ...(deviceClass !== '' && { deviceClass: deviceClass === 'C' ? 'C' : 'A' }),
    ...(!isOfJoin && address !== '' && { devAddr: address }),
  }
}

/** Refuses a device that Wanesy has for another version or activation, or with other keys. */
function checkRadio(found: JsonObject, device: NetworkDevice): void {
  const { deviceClass: _settable, ...known } = radioOf(found)
  refuseMismatch('Wanesy', known, device)
  const { appKey, radio } = device
  refuseOtherKeys(
    'Wanesy',
    device,
    isJoining(device)
      ? { AppKey: [textOf(found.appKey), appKey] }
      : {
          'device address': [known.devAddr, radio?.devAddr],
          NwkSKey: [textOf(found.nwkSKey), radio?.networkKey],
          AppSKey: [textOf(found.appSKey), appKey],
        },
  )
}

// End devices, EndDeviceDto of the GMS REST API 3.2.6.

const base = '/endDevices'

/**
 * Looks for the device first: creating is a PUT, which could overwrite a device of another cluster.
 * Adopts a device of the account's own cluster. Keys, address and region cannot be changed: with
 * others the device is created again.
 */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const found = await find(session, pathOf(device.devEui))
  if (!found) return createDevice(session, device)
  if (linkedId(found, 'cluster') !== session.account.clusterId) {
    throw new NetworkError(
      'refused',
      `The DevEUI ${device.devEui} is in use in another cluster of Wanesy.`,
    )
  }
  checkRadio(found, device)
  const { devEui, name } = device
  if (isSame(found, device)) return patchDevice(session, devEui, { name, ...classOf(device) })
  const known = withKnownKeys(found, device)
  await remove(session, pathOf(device.devEui))
  await createDevice(session, known, settingsOf(found))
}

/**
 * Adds what is not known here: the JoinEUI, and the NwkSKey of a device without a join. Without them
 * the device could not be created again.
 */
function withKnownKeys(found: JsonObject, device: NetworkDevice): NetworkDevice {
  const { devEui, joinEui, radio } = device
  const isUnknown = joinEui === anyJoinEui && textOf(found.appEui) !== ''
  const known = { ...device, ...(isUnknown && { joinEui: textOf(found.appEui) }) }
  if (isJoining(device) || radio?.networkKey !== undefined) return known
  const networkKey = textOf(found.nwkSKey)
  if (!radio || !/^[0-9A-F]{32}$/i.test(networkKey)) {
    const words = `Wanesy cannot change the keys of the device ${devEui}, and its NwkSKey is not known here.`
    throw new NetworkError('refused', words)
  }
  return { ...known, radio: { ...radio, networkKey } }
}

/** The owner's settings of a device besides keys and name. It is created again with them. */
function settingsOf(found: JsonObject): JsonObject {
  const kept = settings.filter((name) => found[name] !== undefined && found[name] !== null)
  return Object.fromEntries(kept.map((name) => [name, found[name]]))
}

// biome-ignore format: a list of words
const settings = [
  'profile', 'geolocation', 'latitude', 'longitude', 'altitude', 'classType', 'macVersion',
  'regParamsRevision', 'rfRegion', 'country', 'adrEnabled', 'rxWindows', 'rx1DrOffset',
  'rx1Delay', 'rx2Dr', 'rx2Freq', 'pingSlotFreq', 'pingSlotDr', 'cfList', 'dwellTime',
  'devNonceCounter',
]

export async function renameDevice(session: Session, devEui: string, name: string) {
  if (!(await findOwn(session, devEui))) throw missingDevice(devEui)
  await patchDevice(session, devEui, { name })
}

/** Does not touch a device in another cluster: it was never ours. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (await findOwn(session, devEui)) await remove(session, pathOf(devEui))
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const { clusterId } = session.account
  for await (const page of list(session, base, { operand: 'cluster.id', value: clusterId })) {
    yield page
      .filter((item) => (linkedId(item, 'cluster') ?? clusterId) === clusterId)
      .map(toListed)
  }
}

/** Wanesy may hide keys: hidden values are left out. */
function toListed(item: JsonObject): ListedThing {
  const { devEui, name, appKey, appEui } = item
  const listed = { eui: textOf(devEui).toUpperCase(), name: textOf(name), radio: radioOf(item) }
  const [key, joinEui] = [textOf(appKey), textOf(appEui).toUpperCase()]
  return { ...listed, ...(key && { appKey: key }), ...(joinEui && { joinEui }) }
}

/** `kept` are the settings of the device that it replaces. */
async function createDevice(
  session: Session,
  device: NetworkDevice,
  kept: JsonObject = {},
): Promise<void> {
  const devEui = device.devEui.toUpperCase()
  await session.call({
    method: 'PUT',
    path: pathOf(devEui),
    body: {
      devEui,
      activation: isJoining(device) ? 'OTAA' : 'ABP',
      classType: 'A',
      ...versionsOf(device),
      rfRegion: 'EU868',
      adrEnabled: true,
      ...(await readHabits(session)),
      ...kept,
      ...classOf(device),
      ...(device.region !== undefined && { rfRegion: device.region }),
      ...keysOf(device),
      name: device.name,
      cluster: { id: session.account.clusterId },
    },
  })
}

/** Those of the model; Wanesy has no revisions of RP002. */
function versionsOf({ model }: NetworkDevice) {
  const macVersion = model && wholeVersion(model)
  const regParamsRevision = model && revisionOfModel(model)
  const isKnown = regParamsRevision === 'A' || regParamsRevision === 'B'
  return macVersion && macVersion < '1.1' && isKnown
    ? { macVersion, regParamsRevision }
    : { macVersion: '1.0.2', regParamsRevision: 'B' }
}

/**
 * Two required fields take values that each Wanesy defines, and that no public document lists.
 * Those of another device in the cluster are right; for the first device STATIC (from Wanesy's own
 * export of devices) and NONE are tried.
 */
async function readHabits(session: Session): Promise<{ profile: string; geolocation: string }> {
  const habits = { profile: 'STATIC', geolocation: 'NONE' }
  const { clusterId } = session.account
  for await (const page of list(session, base, { operand: 'cluster.id', value: clusterId })) {
    // MANUAL would ask for a position.
    const model = page.find(({ geolocation }) => geolocation !== 'MANUAL')
    return {
      profile: textOf(model?.profile) || habits.profile,
      geolocation: textOf(model?.geolocation) || habits.geolocation,
    }
  }
  return habits
}

/** Hidden values count as the same: a device that works must not join again without need. */
function isSame(found: JsonObject, device: NetworkDevice): boolean {
  const wanted: Record<string, string | undefined> = { ...keysOf(device), rfRegion: device.region }
  if (device.joinEui === anyJoinEui) delete wanted.appEui
  return Object.entries(wanted).every(([name, value]) => {
    const known = textOf(found[name]).toUpperCase()
    return known === '' || value === undefined || known === value.toUpperCase()
  })
}

async function patchDevice(
  session: Session,
  devEui: string,
  body: { name: string; classType?: string },
): Promise<void> {
  await session.call({ method: 'PATCH', path: pathOf(devEui), body })
}

async function findOwn(session: Session, devEui: string): Promise<JsonObject | undefined> {
  const found = await find(session, pathOf(devEui))
  return found && linkedId(found, 'cluster') === session.account.clusterId ? found : undefined
}

function pathOf(devEui: string): string {
  return `${base}/${encodeURIComponent(devEui.toUpperCase())}`
}

function missingDevice(devEui: string): NetworkError {
  return new NetworkError(
    'refused',
    `Wanesy has no device with DevEUI ${devEui} in the account's cluster.`,
  )
}

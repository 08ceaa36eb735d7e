import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import {
  findMismatch,
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
  refuseOtherProfile,
} from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice, NetworkPlace } from '../network.ts'
import { NetworkError, undo } from '../network-error.ts'
import { isRefusal } from '../rest.ts'
import { readAppServerIds } from './callback.ts'
import { change, find, list, remove, type Session } from './client.ts'

// Join, keys, version and class of a device at ThingPark, device manager API 7.3, `DeviceLorawan`.
// Version and class belong to its device profile.

/** What only a creation takes. */
function activationOf(device: NetworkDevice) {
  if (isJoining(device)) return { activation: 'OTAA' }
  return { activation: 'ABP', nwAddress: device.radio?.devAddr }
}

/** A creation and a change take the same. The AppSKey is an XML document, here for all ports. */
function keysOf(device: NetworkDevice) {
  const { joinEui, appKey, radio } = device
  const key = appKey.toUpperCase()
  if (!isJoining(device)) {
    const appKeys = `<AppSKeys><AppSKey Port="*">${key}</AppSKey></AppSKeys>`
    return { nwKey: radio?.networkKey, appKeys }
  }
  const later = radio?.version === '1.1' ? { nwkKey: radio.networkKey } : {}
  return { appEUI: joinEui.toUpperCase(), appKey: key, ...later }
}

/** `macMinorVersion` of LoRaWAN 1.1. */
const minorOf11 = 10

/**
 * Refuses a device of ThingPark that joins otherwise, has another address, or whose device profile
 * says something else: it would never be heard.
 */
function checkRadio(found: JsonObject, device: NetworkDevice): void {
  const { radio, devEui } = device
  const known = radioOf(found)
  refuseMismatch('ThingPark', { activation: known.activation }, device)
  if (!isJoining(device) && known.devAddr !== undefined && known.devAddr !== radio?.devAddr) {
    const words = `with the device address ${known.devAddr}, which cannot be changed there; here it is registered with ${radio?.devAddr}`
    throw refused(`ThingPark has the device ${devEui} already, ${words}.`)
  }
  const mismatch = findMismatch(known, device)
  if (!mismatch) return
  throw refused(
    `The device profile ${textOf(objectOf(found.model).ID)} of ThingPark is one ${mismatch.there}, and the device is registered ${mismatch.here}: choose another one.`,
  )
}

/** How ThingPark has a device; its list leaves the class out. */
function radioOf({ activation, nwAddress, model }: JsonObject): KnownRadio {
  const { macMinorVersion: minor, type } = objectOf(model)
  const isOfAbp = textOf(activation) === 'ABP'
  const devAddr = textOf(nwAddress).toUpperCase()
  return {
    ...(typeof minor === 'number' && { version: minor === minorOf11 ? '1.1' : '1.0' }),
    activation: isOfAbp ? 'abp' : 'otaa',
    ...(textOf(type) !== '' && { deviceClass: type === 'C' ? 'C' : 'A' }),
    ...(isOfAbp && devAddr !== '' && { devAddr }),
  }
}

/** Refuses a new registration if ThingPark shows another key. */
function refuseKeys(found: JsonObject, device: NetworkDevice): void {
  const wanted: JsonObject = keysOf(device)
  const pair = (name: string) => [textOf(found[name]), textOf(wanted[name])] as const
  refuseOtherKeys('ThingPark', device, {
    AppKey: pair('appKey'),
    NwkKey: pair('nwkKey'),
    NwkSKey: pair('nwKey'),
  })
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}

// Devices of a subscription, device manager API 7.3, /subscriptions/mine/devices.

const base = '/subscriptions/mine/devices'

/**
 * Adopts a device of the subscription that is routed to the account's application server, or to
 * none.
 */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const appServerIds = await readAppServerIds(session)
  if (appServerIds.length === 0) throw missingAppServer(session)
  if (await adoptDevice(session, device, appServerIds)) return
  let created: unknown
  try {
    created = await createDevice(session, device, appServerIds)
  } catch (error) {
    session.appServerIds = undefined
    // It may have been created meanwhile, or by this service before a crash.
    if (isRefusal(error) && (await adoptDevice(session, device, appServerIds))) return
    throw error
  }
  await keepIfRight(session, device, created)
}

async function createDevice(session: Session, device: NetworkDevice, appServerIds: string[]) {
  const answer = await session.call({
    method: 'POST',
    path: base,
    body: {
      EUI: device.devEui.toUpperCase(),
      connectivity: 'LORAWAN',
      ...activationOf(device),
      model: { ID: device.profile ?? session.account.deviceModelId },
      name: device.name,
      ...placeIn(device.place),
      ...keysOf(device),
      appServers: appServerIds.map((ID) => ({ ID })),
    },
  })
  return answer.body
}

/** The place that was entered by hand. */
function placeIn(place: NetworkPlace | undefined) {
  return place && { adminLat: place.latitude, adminLon: place.longitude }
}

/** Only a created device shows the class of its profile. */
async function keepIfRight(session: Session, device: NetworkDevice, created: unknown) {
  // The answer may be that the creation is still under way.
  if (!isObject(created) || !isObject(created.model)) return
  try {
    checkRadio(created, device)
  } catch (error) {
    return undo(error, () => remove(session, pathOf(device.devEui)))
  }
}

export async function renameDevice(
  session: Session,
  devEui: string,
  name: string,
  place?: NetworkPlace,
) {
  if (!(await findOwn(session, devEui))) throw missingDevice(devEui)
  const path = pathOf(devEui)
  await change(session, { method: 'PUT', path, of: path }, { name, ...placeIn(place) })
}

/** Does not touch a device that is routed elsewhere: it was never ours. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (await findOwn(session, devEui)) await remove(session, pathOf(devEui))
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const [appServerID] = await readAppServerIds(session)
  if (appServerID === undefined) return
  for await (const page of list(session, base, { appServerID, sort: 'EUI,asc' })) {
    yield page.map((device) => {
      const { EUI, name, appEUI } = device
      const joinEui = textOf(appEUI).toUpperCase()
      const radio = radioOf(device)
      const listed = { eui: textOf(EUI).toUpperCase(), name: textOf(name), radio }
      return joinEui === '' ? listed : { ...listed, joinEui }
    })
  }
}

/** Returns false when the subscription has no such device. */
async function adoptDevice(
  session: Session,
  device: NetworkDevice,
  appServerIds: string[],
): Promise<boolean> {
  const path = pathOf(device.devEui)
  const found = await find(session, path)
  if (!found) return false
  if (!isOwn(found, appServerIds)) {
    throw new NetworkError(
      'refused',
      `The DevEUI ${device.devEui} is in use at another application server of ThingPark.`,
    )
  }
  checkRadio(found, device)
  refuseOtherProfile('ThingPark', textOf(objectOf(found.model).ID), device)
  refuseKeys(found, device)
  const routed = objectsOf(found.appServers).map(({ ID }) => textOf(ID))
  const appServers = [...new Set([...routed, ...appServerIds])].map((ID) => ({ ID }))
  const keys: JsonObject = keysOf(device)
  // What is not known here stays.
  if (device.joinEui === anyJoinEui && textOf(found.appEUI) !== '') delete keys.appEUI
  const changes = { name: device.name, ...keys, appServers }
  await change(session, { method: 'PUT', path, of: path }, changes)
  return true
}

async function findOwn(session: Session, devEui: string): Promise<JsonObject | undefined> {
  const found = await find(session, pathOf(devEui))
  return found && isOwn(found, await readAppServerIds(session)) ? found : undefined
}

function isOwn(device: JsonObject, appServerIds: string[]): boolean {
  const routed = objectsOf(device.appServers)
  return routed.length === 0 || routed.some(({ ID }) => appServerIds.includes(textOf(ID)))
}

/** ThingPark takes `e` and the EUI in place of its own number. */
function pathOf(devEui: string): string {
  return `${base}/e${encodeURIComponent(devEui.toUpperCase())}`
}

/** The registration waits until the callback is entered as an application server. */
function missingAppServer({ account }: Session): NetworkError {
  return new NetworkError(
    'unauthorized',
    `ThingPark has no application server with the AS ID ${account.asId} (as_id): the messages of a device would go nowhere.`,
  )
}

function missingDevice(devEui: string): NetworkError {
  return new NetworkError(
    'refused',
    `ThingPark has no device with DevEUI ${devEui} at the account's application server.`,
  )
}

import { toEui } from '../../lora/eui.ts'
import type { Region } from '../../lora/regions.ts'
import { objectOf, textOf, toListed } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherKeys } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { readPages } from '../pages.ts'
import { allowMissing, isRefusal } from '../rest.ts'
import { call, find, type Session } from './client.ts'

// Activation, session and class of a device at Everynet: `activation` OTAA or ABP, `dev_addr`,
// `nwkskey`, `appskey`, and `dev_class` A or C (class B follows by itself), as the management API v1.0
// describes them. It has no member for the second key of LoRaWAN 1.1.

/** What a creation takes: the keys of a join, or the session of a device without one. */
function activationOf(device: NetworkDevice): JsonObject {
  const { joinEui, appKey, radio } = device
  const dev_class = radio?.deviceClass ?? 'A'
  if (isJoining(device)) {
    const [app_eui, app_key] = [joinEui.toLowerCase(), appKey.toLowerCase()]
    return { activation: 'OTAA', dev_class, app_eui, app_key }
  }
  return { activation: 'ABP', dev_class, ...sessionOf(device) }
}

function sessionOf({ appKey, radio }: NetworkDevice) {
  return {
    dev_addr: radio?.devAddr?.toLowerCase(),
    nwkskey: radio?.networkKey?.toLowerCase(),
    appskey: appKey.toLowerCase(),
  }
}

/** How Everynet has a device. Its class is set from here if the registration says one. */
function radioOf({ activation, dev_class, dev_addr }: JsonObject): KnownRadio {
  const [deviceClass, devAddr] = [textOf(dev_class), textOf(dev_addr).toUpperCase()]
  const isOfAbp = activation === 'ABP'
  return {
    activation: isOfAbp ? 'abp' : 'otaa',
    ...(deviceClass !== '' && { deviceClass: deviceClass === 'C' ? 'C' : 'A' }),
    ...(isOfAbp && devAddr !== '' && { devAddr }),
  }
}

/**
 * What changes in a device of Everynet. The same session is not sent again, since that could reset
 * its counters. Refuses a device of another activation: it works as it is.
 */
function changesOf(found: JsonObject, device: NetworkDevice): JsonObject {
  const { deviceClass: _settable, ...known } = radioOf(found)
  refuseMismatch('Everynet', known, device)
  const { joinEui, appKey, radio } = device
  refuseOtherKeys('Everynet', device, {
    AppKey: [textOf(found.app_key), isJoining(device) ? appKey : undefined],
    'device address': [known.devAddr, radio?.devAddr],
    NwkSKey: [textOf(found.nwkskey), isJoining(device) ? undefined : radio?.networkKey],
    AppSKey: [textOf(found.appskey), isJoining(device) ? undefined : appKey],
  })
  const ofClass = radio ? { dev_class: radio.deviceClass } : {}
  if (isJoining(device)) {
    const app_eui = joinEui === anyJoinEui ? {} : { app_eui: joinEui.toLowerCase() }
    return { app_key: appKey.toLowerCase(), ...app_eui, ...ofClass }
  }
  const session = sessionOf(device)
  const isSame = Object.entries(session).every(
    ([name, value]) => value === undefined || textOf(found[name]).toLowerCase() === value,
  )
  return { ...(isSame ? {} : session), ...ofClass }
}

// Devices of an Everynet organization: /devices and /devices/{dev_eui}.

const pageSize = 100

/** Adopts a device that the organization has already. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const { devEui, name, region } = device
  if (!region) {
    // A device that is there has a band.
    const found = await find(session, pathOf(devEui))
    if (found) return adoptDevice(session, device, objectOf(objectOf(found).device))
    throw new NetworkError('refused', 'Everynet needs the region of a device.')
  }
  const band = await findBand(session, region)
  try {
    await call(session, {
      method: 'POST',
      path: '/devices',
      body: {
        dev_eui: devEui.toLowerCase(),
        ...activationOf(device),
        // Payloads arrive decrypted.
        encryption: 'NS',
        counters_size: 4,
        adr: { mode: 'on', tx_power: null, datarate: null },
        band,
        tags: [toTag(name)],
      },
    })
  } catch (error) {
    const found = isRefusal(error) ? await find(session, pathOf(devEui)) : undefined
    if (!found) throw error
    await adoptDevice(session, device, objectOf(objectOf(found).device))
  }
}

/** A device of another organization is not found and stays. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  await allowMissing(call(session, { method: 'DELETE', path: pathOf(devEui) }))
}

export function listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  return readPages('Everynet', async (page) => {
    const query = { offset: (page - 1) * pageSize, limit: pageSize }
    const body = objectOf(await call(session, { method: 'GET', path: '/devices', query }))
    const devices = Array.isArray(body.devices) ? body.devices : []
    return {
      items: devices.filter(isObject).flatMap(toListedDevice),
      isLast: devices.length < pageSize,
    }
  })
}

/** Keeps its tags, by which the owner may route its messages. */
async function adoptDevice(session: Session, device: NetworkDevice, found: JsonObject) {
  const body = changesOf(found, device)
  await call(session, { method: 'PATCH', path: pathOf(device.devEui), body })
}

/** Filters separate tags by commas. */
function toTag(name: string): string {
  return name.replace(/[,\s]+/g, ' ').trim()
}

function toListedDevice(device: JsonObject): ListedThing[] {
  const { dev_eui, app_eui, app_key, tags } = device
  const [tag] = Array.isArray(tags) ? tags : []
  const name = typeof tag === 'string' ? tag : toEui(dev_eui)
  const radio = radioOf(device)
  return toListed(dev_eui, name, { joinEui: app_eui, appKey: app_key }).map((listed) => ({
    ...listed,
    radio,
  }))
}

function pathOf(devEui: string): string {
  return `/devices/${devEui.toLowerCase()}`
}

// Each Everynet platform has its own list of bands, GET /bands. Seen in public programs: `LA915-928A`,
// `LA915-918A`, `AU915-928A`, `US902-928`, `EU863-870`.
/** How the names of a region's bands begin, the preferred beginning first. */
const beginnings: Record<Region, readonly string[]> = {
  US915: ['US902', 'US915'],
  EU868: ['EU863', 'EU868'],
  AU915: ['AU915', 'LA915'],
  AS923: ['AS923'],
  CN470: ['CN470'],
  EU433: ['EU433'],
  KR920: ['KR920'],
  RU864: ['RU864'],
  CN779: ['CN779'],
  IN865: ['IN865'],
}

/** The band of a region: the shortest name that fits, since longer ones are parts of the band. */
async function findBand(session: Session, region: Region): Promise<string> {
  session.bands ??= await readBands(session)
  for (const beginning of beginnings[region]) {
    const fitting = session.bands.filter((name) => name.toUpperCase().startsWith(beginning))
    const [band] = fitting.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    if (band !== undefined) return band
  }
  const known = session.bands.slice(0, 20).join(', ') || 'none'
  throw new NetworkError('refused', `Everynet has no band of ${region} here, only: ${known}.`)
}

async function readBands(session: Session): Promise<string[]> {
  const body = await call(session, { method: 'GET', path: '/bands' })
  const listed = isObject(body) ? body.bands : body
  if (!Array.isArray(listed)) return []
  return listed.flatMap((band) => {
    const name = isObject(band) ? (band.name ?? band.band) : band
    return typeof name === 'string' ? name : []
  })
}

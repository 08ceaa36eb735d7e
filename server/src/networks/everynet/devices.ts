// Devices of an Everynet organization: /devices and /devices/{dev_eui}.

import { toEui } from '../../lora/eui.ts'
import type { Region } from '../../lora/regions.ts'
import { objectOf, toListed } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { readPages } from '../pages.ts'
import { allowMissing, isRefusal } from '../rest.ts'
import { call, find, type Session } from './client.ts'
import { activationOf, changesOf, radioOf } from './radio.ts'

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

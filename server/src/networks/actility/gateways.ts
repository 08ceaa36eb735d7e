// Base stations of a network partner, network manager API 7.3, /partners/mine/bss.
import { textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError, undo } from '../network-error.ts'
import { change, find, list, remove, type Session } from './client.ts'

const base = '/partners/mine/bss'

/**
 * Creates a base station and sets its RF region, without which it is not operational: two calls.
 * Repeated after a crash between the two, it finds the base station and completes it.
 */
export async function addGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const model = gateway.settings?.model ?? session.account.baseStationModelId
  const { softwareType } = await readProfile(session, model)
  const uuid = toLrrUuid(gateway, textOf(softwareType))
  const path = pathOf(uuid)
  const serial = gateway.settings?.serial_number
  const known = {
    name: gateway.name,
    ...(serial && !isLrrUuid(serial) ? { smn: serial } : {}),
    customerAdminData: toAdminData(gateway),
  }
  const isNew = !(await find(session, path))
  if (isNew) {
    const body = { ...known, model: { ID: model }, lrrUUID: uuid }
    await session.call({ method: 'POST', path: base, body })
  } else await change(session, { method: 'PUT', path, of: path }, known)
  try {
    await setRegion(session, path, gateway)
  } catch (error) {
    const isRefused = error instanceof NetworkError && error.kind === 'refused'
    if (!isNew || !isRefused) throw error
    return undo(error, () => remove(session, path))
  }
}

export async function updateGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const path = await locate(session, gateway.gatewayEui)
  if (!path) {
    throw new NetworkError(
      'refused',
      `ThingPark has no base station for the gateway EUI ${gateway.gatewayEui}.`,
    )
  }
  const { name, description } = gateway
  const changes = description === undefined ? {} : { customerAdminData: toAdminData(gateway) }
  await change(session, { method: 'PUT', path, of: path }, { name, ...changes })
}

export async function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  const path = await locate(session, gatewayEui)
  if (path) await remove(session, path)
}

/** Leaves out base stations whose EUI is not known: gateways are identified by it here. */
export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  for await (const page of list(session, base)) {
    yield page.flatMap((item) => {
      const eui = readEui(item)
      return eui ? [{ eui, name: textOf(item.name) }] : []
    })
  }
}

async function setRegion(session: Session, path: string, { settings, region }: NetworkGateway) {
  const band = (settings?.ism_band ?? region ?? '').toLowerCase()
  const station = await find(session, path)
  const regions = await readRegions(session, band)
  // Keeps a region of this band that the owner has chosen.
  if (regions.includes(textOf(station?.rfRegionID))) return
  const [rfRegionID] = regions
  if (rfRegionID === undefined) {
    throw new NetworkError('refused', `ThingPark has no RF region for the ISM band ${band}.`)
  }
  const call = { method: 'POST', path: `${path}/admins/updateRfRegion`, of: path } as const
  await change(session, call, { rfRegionID })
}

async function readRegions(session: Session, ismBandID: string): Promise<string[]> {
  const ids: string[] = []
  for await (const page of list(session, '/partners/mine/rfRegions', { ismBandID })) {
    ids.push(...page.map(({ provID }) => textOf(provID)))
  }
  return ids
}

/** Throws if ThingPark has no such profile. */
export async function readProfile(session: Session, id: string | undefined): Promise<JsonObject> {
  for await (const page of list(session, '/partners/mine/bsProfiles')) {
    const found = page.find(({ ID }) => ID === id)
    if (found) return found
  }
  throw new NetworkError('refused', `ThingPark has no base station profile with the ID ${id}.`)
}

/** Finds the path of a base station by the LRR-UUIDs of its EUI, or by the EUI in its data. */
async function locate(session: Session, gatewayEui: string): Promise<string | undefined> {
  for (const uuid of uuidsOf(gatewayEui)) {
    if (await find(session, pathOf(uuid))) return pathOf(uuid)
  }
  for await (const page of list(session, base)) {
    const found = page.find((item) => readEui(item) === gatewayEui.toUpperCase())
    if (found?.lrrUUID) return pathOf(textOf(found.lrrUUID))
  }
  return undefined
}

/** ThingPark has no field for an EUI; this free text is listed with the base station. */
function toAdminData({ gatewayEui, description }: NetworkGateway): string {
  return [description, `EUI ${gatewayEui.toUpperCase()}`].filter(Boolean).join(' ')
}

function readEui({ customerAdminData, lrrUUID }: JsonObject): string | undefined {
  const noted = /\bEUI ([0-9A-F]{16})$/.exec(textOf(customerAdminData))?.[1]
  return noted ?? /^[0-9A-F]{6}-([0-9A-F]{16})$/.exec(textOf(lrrUUID).toUpperCase())?.[1]
}

function pathOf(uuid: string): string {
  return `${base}/u${encodeURIComponent(uuid.toUpperCase())}`
}

// A base station is known by its LRR-UUID, `<OUI of the maker>-<its own id>`. With the software of
// LoRa Basics Station the first part is 0016C0 and the second the gateway EUI; with Actility's own
// (LRR) it is up to the maker: often the EUI, Kerlink's is a board number. docs.thingpark.com,
// "Base station attributes".

const basicStationOui = '0016C0'

/** Network manager API 7.3, `lrrUUID`. */
function isLrrUuid(text: string): boolean {
  return /^[0-9a-f]{6}-[0-9a-f]{2,48}$/i.test(text)
}

/**
 * The LRR-UUID of a new base station. One that does not follow from the gateway's EUI is given as
 * its serial number.
 */
function toLrrUuid({ gatewayEui, settings }: NetworkGateway, softwareType: string): string {
  const serial = settings?.serial_number ?? ''
  if (isLrrUuid(serial)) return serial.toUpperCase()
  const [ofMaker, ofBasicStation] = uuidsOf(gatewayEui)
  if (!ofMaker || !ofBasicStation) throw new NetworkError('refused', 'The gateway has no EUI.')
  return softwareType.startsWith('BASIC_STATION') ? ofBasicStation : ofMaker
}

/** The LRR-UUIDs of an EUI: with the maker's own software, and with Basics Station. */
function uuidsOf(gatewayEui: string): string[] {
  const eui = gatewayEui.toUpperCase()
  return [`${eui.slice(0, 6)}-${eui}`, `${basicStationOui}-${eui}`]
}

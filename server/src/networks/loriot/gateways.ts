// Gateways of a LORIOT network: /1/nwk/network/{id}/gateways and /1/nwk/gateway/{gweui}.
import { normalizeEui, toEui } from '../../lora/eui.ts'
import { toListed } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { change, isAboutMissing, listPages, type Session } from './client.ts'
import { chooseHardware } from './gateway-hardware.ts'

/**
 * Adopts a gateway that is in the account's network already, also one that was created at LORIOT
 * (`loriot_gateway`, its id there).
 */
export async function addGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const found = await findGateway(session, gateway.gatewayEui)
  const wanted = normalizeEui(gateway.settings?.loriot_gateway ?? '')
  if (wanted !== '' && !(found && namesOf(found).includes(wanted))) {
    throw new NetworkError(
      'refused',
      `LORIOT has no gateway ${wanted} with the EUI ${gateway.gatewayEui} in the account's network.`,
    )
  }
  if (found) return writeGateway(session, found, gateway)
  await createGateway(session, gateway)
}

export async function updateGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const found = await findGateway(session, gateway.gatewayEui)
  if (!found) {
    throw new NetworkError(
      'refused',
      `LORIOT has no gateway with EUI ${gateway.gatewayEui} in the account's network.`,
    )
  }
  await writeGateway(session, found, gateway)
}

/** A gateway of another network is not found and stays. */
export async function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  const found = await findGateway(session, gatewayEui)
  if (!found) return
  try {
    await change(session, { method: 'DELETE', path: pathOf(found) })
  } catch (error) {
    // The gateway may be gone already.
    if (isAboutMissing(error) && !(await findGateway(session, gatewayEui))) return
    throw error
  }
}

export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  for await (const page of listRecords(session)) {
    yield page.flatMap(({ EUI, _id, title }) => {
      const id = typeof EUI === 'string' ? EUI : _id
      return toListed(id, typeof title === 'string' ? title : toEui(id))
    })
  }
}

/** Every gateway of the account's network as LORIOT describes it. */
async function* listRecords(session: Session): AsyncGenerator<JsonObject[]> {
  const networkId = await readNetworkId(session)
  yield* listPages(session, `/1/nwk/network/${networkId}/gateways`, 'gateways')
}

/** LORIOT derives the EUI from the MAC, or takes ours: the EUI of the new gateway is checked. */
async function createGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const hardware = await chooseHardware(session, gateway.settings ?? {})
  const networkId = await readNetworkId(session)
  const created = await change(session, {
    method: 'POST',
    path: `/1/nwk/network/${networkId}/gateways`,
    body: {
      title: gateway.name,
      ...hardware,
      ...addressOf(gateway.gatewayEui),
      // Required: the owner can enter what is not known here at LORIOT.
      location: locationOf(gateway) ?? { lat: 0, lon: 0 },
      ...(gateway.region === undefined ? {} : { region: gateway.region }),
    },
  })
  if (!isObject(created)) return
  const names = namesOf(created)
  if (names.length === 0 || names.includes(gateway.gatewayEui)) return
  await change(session, { method: 'DELETE', path: pathOf(created) })
  throw new NetworkError(
    'refused',
    `LORIOT gives such a gateway the EUI ${names[0]}: register it with that one.`,
  )
}

/**
 * A MAC of 6 bytes has FFFF put into its middle to make the EUI. Any other EUI is a custom one,
 * of a gateway with Basics Station or a packet forwarder (loriot-migration-tool).
 */
function addressOf(gatewayEui: string): { MAC: string; customEUI?: string } {
  const digits = gatewayEui.slice(0, 6) + gatewayEui.slice(10)
  const MAC = digits.replace(/..(?!$)/g, '$&:')
  return gatewayEui.slice(6, 10) === 'FFFF' ? { MAC } : { MAC, customEUI: gatewayEui }
}

async function findGateway(session: Session, gatewayEui: string): Promise<JsonObject | undefined> {
  for await (const page of listRecords(session)) {
    const found = page.find((record) => namesOf(record).includes(gatewayEui))
    if (found) return found
  }
  return undefined
}

/** LORIOT's names of a gateway: its EUI and its id, which may differ. */
function namesOf({ EUI, _id }: JsonObject): string[] {
  return [EUI, _id].flatMap((name) => (typeof name === 'string' ? normalizeEui(name) : []))
}

/** Changes the title and the place, and leaves everything else as the owner set it. */
async function writeGateway(session: Session, found: JsonObject, gateway: NetworkGateway) {
  const location = locationOf(gateway)
  const body = { title: gateway.name, ...(location && { location }) }
  await change(session, { method: 'POST', path: pathOf(found), body })
}

function locationOf({ place }: NetworkGateway): { lat: number; lon: number } | undefined {
  return place && { lat: place.latitude, lon: place.longitude }
}

function pathOf({ _id }: JsonObject): string {
  return `/1/nwk/gateway/${encodeURIComponent(String(_id))}`
}

// Networks of gateways: /1/nwk/networks. Their `_id` is a number; the paths have it in hexadecimal,
// upper case (loriot-migration-tool, src/loriot/networks.ts).
/** The network that the account names, or else its only one. */
async function readNetworkId(session: Session): Promise<string> {
  if (session.account.networkId) return session.account.networkId
  if (session.networkId) return session.networkId
  const query = { page: 1, perPage: 2 }
  const { body } = await session.client.call({ method: 'GET', path: '/1/nwk/networks', query })
  const networks = isObject(body) && Array.isArray(body.networks) ? body.networks : []
  const [only, ...others] = networks.flatMap((network) => idOf(network) ?? [])
  if (only === undefined || others.length > 0) {
    const reason = only === undefined ? 'has no network' : 'has several networks'
    throw new NetworkError(
      'refused',
      `The account at LORIOT ${reason}: enter the one of the gateways (network_id).`,
    )
  }
  session.networkId = only
  return only
}

function idOf(network: unknown): string | undefined {
  if (!isObject(network)) return undefined
  const { _id: id } = network
  if (typeof id === 'number') return id.toString(16).toUpperCase()
  return typeof id === 'string' && /^[0-9a-f]{1,16}$/i.test(id) ? id.toUpperCase() : undefined
}

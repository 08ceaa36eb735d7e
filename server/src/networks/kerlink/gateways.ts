// Gateways, GatewayDto of the GMS REST API 3.2.6.
import { textOf } from '../answer-fields.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { find, list, remove, type Session } from './client.ts'

const base = '/gateways'

/**
 * Changes a gateway that the user may see, which keeps the owner's other settings: creating is a
 * PUT and would overwrite them.
 */
export async function addGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const { gatewayEui, settings = {} } = gateway
  if (await find(session, pathOf(gatewayEui))) return updateGateway(session, gateway)
  const { account } = session
  const fleet = await resolveId(session, '/fleets', settings.fleet, account.fleetId)
  const brand = await resolveId(session, '/brands', settings.brand, account.brandId)
  await session.call({
    method: 'PUT',
    path: pathOf(gatewayEui),
    body: {
      eui: gatewayEui.toUpperCase(),
      ...namesOf(gateway),
      region: gateway.region ?? settings.region ?? 'EU868',
      visibility: settings.visibility ?? 'PRIVATE',
      dlAllowed: true,
      adaptiveLatencyEnabled: false,
      ...(fleet === undefined ? {} : { fleet: { id: fleet } }),
      ...(brand === undefined ? {} : { brand: { id: brand } }),
    },
  })
}

export async function updateGateway(session: Session, gateway: NetworkGateway): Promise<void> {
  const path = pathOf(gateway.gatewayEui)
  await session.call({ method: 'PATCH', path, body: namesOf(gateway) })
}

export function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  return remove(session, pathOf(gatewayEui))
}

export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  for await (const page of list(session, base)) {
    yield page.map(({ eui, name }) => ({ eui: textOf(eui).toUpperCase(), name: textOf(name) }))
  }
}

/** A fleet or brand may be given by its name or its id. */
async function resolveId(
  session: Session,
  path: '/fleets' | '/brands',
  given: string | undefined,
  usual: number | undefined,
): Promise<number | undefined> {
  if (given === undefined) return usual
  if (/^\d+$/.test(given)) return Number(given)
  for await (const page of list(session, path)) {
    const found = page.find(({ name }) => textOf(name).toLowerCase() === given.toLowerCase())
    if (found) return Number(found.id)
  }
  throw new NetworkError('refused', `Wanesy has no ${path.slice(1, -1)} called ${given}.`)
}

function namesOf({ name, description, place }: NetworkGateway) {
  const height = place?.altitude ?? null
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(place && { latitude: place.latitude, longitude: place.longitude }),
    ...(height === null ? {} : { altitude: Math.round(height) }),
  }
}

function pathOf(gatewayEui: string): string {
  return `${base}/${encodeURIComponent(gatewayEui.toUpperCase())}`
}

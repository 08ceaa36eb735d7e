// Gateways at ChirpStack v4, api/proto/api/gateway.proto.
import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import gatewayPb, {
  type Gateway,
  type GatewayListItem,
} from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { toListed } from '../answer-fields.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { readPages } from '../pages.ts'
import { isDenied, isDuplicate, isMissing } from './call-error.ts'
import { readOwner } from './check-access.ts'
import type { Session } from './client.ts'

const service = gatewayGrpc.GatewayServiceService
const pageSize = 500
/** Seconds between two statistics messages of a gateway, as ChirpStack's own console sets it. */
const statsInterval = 30

/** Adopts a gateway that is in the account's tenant already. */
export async function addGateway(session: Session, added: NetworkGateway): Promise<void> {
  const gateway = new gatewayPb.Gateway()
  gateway.setGatewayId(added.gatewayEui.toLowerCase())
  gateway.setTenantId(session.account.tenantId)
  gateway.setStatsInterval(statsInterval)
  gateway.setName(added.name)
  gateway.setDescription(added.description ?? '')
  setPlace(gateway, added)
  const request = new gatewayPb.CreateGatewayRequest()
  request.setGateway(gateway)
  try {
    await session.client.call(service.create, request)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const found = await findOwnGateway(session, added.gatewayEui)
    if (!found) {
      throw new NetworkError(
        'refused',
        `The gateway EUI ${added.gatewayEui} is in use in another tenant of ChirpStack.`,
      )
    }
    await writeGateway(session, found, added)
  }
}

/** Changes name, description and place and leaves everything else as the owner set it at ChirpStack. */
export async function updateGateway(session: Session, changed: NetworkGateway): Promise<void> {
  const found = await findOwnGateway(session, changed.gatewayEui)
  if (!found) {
    throw new NetworkError(
      'refused',
      `ChirpStack has no gateway with EUI ${changed.gatewayEui} in the account's tenant.`,
    )
  }
  await writeGateway(session, found, changed)
}

/** Does not touch a gateway in another tenant: it was never ours. */
export async function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  if (!(await findOwnGateway(session, gatewayEui))) return
  const request = new gatewayPb.DeleteGatewayRequest()
  request.setGatewayId(gatewayEui.toLowerCase())
  try {
    await session.client.call(service.delete, request)
  } catch (error) {
    // The gateway may be gone already. A key that may only read is still denied.
    if (isMissing(error)) return
    if (isDenied(error) && !(await findOwnGateway(session, gatewayEui))) return
    throw error
  }
}

export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  for await (const page of listGatewayItems(session)) {
    yield page.flatMap((item) => toListed(item.getGatewayId(), item.getName()))
  }
}

/**
 * The account's gateways, in the order of their EUIs. In the usual order, of names, gateways with one
 * name could change places between two pages (chirpstack/src/storage/gateway.rs). Older versions have
 * no other order, and ignore the wish.
 */
export function listGatewayItems({ client, account }: Session): AsyncGenerator<GatewayListItem[]> {
  return readPages('ChirpStack', async (page) => {
    const request = new gatewayPb.ListGatewaysRequest()
    request.setTenantId(account.tenantId)
    request.setOrderBy(gatewayPb.ListGatewaysRequest.OrderBy.GATEWAY_ID)
    request.setLimit(pageSize)
    request.setOffset((page - 1) * pageSize)
    const items = (await client.call(service.list, request)).getResultList()
    return { items, isLast: items.length < pageSize }
  })
}

async function writeGateway({ client }: Session, gateway: Gateway, changed: NetworkGateway) {
  gateway.setName(changed.name)
  if (changed.description !== undefined) gateway.setDescription(changed.description)
  setPlace(gateway, changed)
  const request = new gatewayPb.UpdateGatewayRequest()
  request.setGateway(gateway)
  await client.call(service.update, request)
}

function setPlace(gateway: Gateway, { place }: NetworkGateway): void {
  if (!place) return
  const location = new commonPb.Location()
  location.setLatitude(place.latitude)
  location.setLongitude(place.longitude)
  location.setAltitude(place.altitude ?? 0)
  location.setSource(commonPb.LocationSource.CONFIG)
  gateway.setLocation(location)
}

async function findOwnGateway(session: Session, gatewayEui: string): Promise<Gateway | undefined> {
  const request = new gatewayPb.GetGatewayRequest()
  request.setGatewayId(gatewayEui.toLowerCase())
  try {
    const gateway = (await session.client.call(service.get, request)).getGateway()
    const isOwn = gateway?.getTenantId().toLowerCase() === session.account.tenantId
    return isOwn ? gateway : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!isDenied(error)) throw error
    // Proves that the key is valid: then it was denied because there is no such gateway.
    await readOwner(session)
    return undefined
  }
}

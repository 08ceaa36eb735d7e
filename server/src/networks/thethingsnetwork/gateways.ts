// Gateways, api/ttn/lorawan/v3/gateway_services.proto; pkg/identityserver/gateway_registry.go.

import { objectOf, textOf, toListed } from '../answer-fields.ts'
import { isObject } from '../message-fields.ts'
import type { ListedThing, NetworkGateway } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing, RefusedCall } from '../rest.ts'
import { hostOfZone } from './account.ts'
import { findCollaborator } from './check-access.ts'
import { isTaken, listPages, type Session, taggedFields } from './client.ts'
import { idsOf } from './device-ids.ts'
import { usualPlans } from './frequency-plans.ts'
import { toLocation } from './location.ts'

/** Adopts a gateway that is the account's already, and restores one that was deleted recently. */
export async function addGateway(session: Session, added: NetworkGateway): Promise<void> {
  const { kind, id } = await findCollaborator(session)
  const gatewayId = usualGatewayId(added.gatewayEui)
  const gateway = {
    ids: { gateway_id: gatewayId, eui: added.gatewayEui },
    ...describe(session, added),
    enforce_duty_cycle: true,
  }
  const path = `/${kind}/${encodeURIComponent(id)}/gateways`
  try {
    await session.askIdentityServer({ method: 'POST', path, body: { gateway } })
  } catch (error) {
    if (!isTaken(error)) throw error
    const found = (await findGateway(session, added.gatewayEui)) ?? (await restore(session, added))
    // It is somebody else's, as the error says.
    if (!found) throw error
    await writeGateway(session, found, describe(session, added))
  }
}

/** Changes name, description and place and leaves everything else as the owner set it. */
export async function updateGateway(session: Session, changed: NetworkGateway): Promise<void> {
  const { gatewayEui, name, description } = changed
  const found = await findGateway(session, gatewayEui)
  if (!found) {
    throw new NetworkError(
      'refused',
      `The Things Stack has no gateway with EUI ${gatewayEui} that the API key may see as its own.`,
    )
  }
  await writeGateway(session, found, {
    name,
    ...(description === undefined ? {} : { description }),
    ...antennasOf(changed),
  })
}

/** A gateway is where its first antenna is. */
function antennasOf({ place }: NetworkGateway) {
  return place ? { antennas: [{ location: toLocation(place) }] } : {}
}

/** Does not touch a gateway that belongs to somebody else. */
export async function removeGateway(session: Session, gatewayEui: string): Promise<void> {
  const found = await findGateway(session, gatewayEui)
  if (!found) return
  await session.askIdentityServer({ method: 'DELETE', path: pathOf(found) }).catch((error) => {
    if (!isMissing(error)) throw nameRight(error, 'RIGHT_GATEWAY_DELETE')
  })
  await purge(session, found)
}

/** A key without this right works for everything else: the error is about gateways only. */
export async function* listGateways(session: Session): AsyncGenerator<ListedThing[]> {
  const { kind, id } = await findCollaborator(session)
  const path = `/${kind}/${encodeURIComponent(id)}/gateways`
  try {
    for await (const page of listPages(session, path, 'gateways', taggedFields)) {
      yield page.flatMap((gateway) =>
        toListed(idsOf(gateway).eui, gateway.name, { tags: objectOf(gateway.attributes) }),
      )
    }
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.status !== 403) throw error
    throw new NetworkError('unauthorized', error.message, { about: 'gateway' })
  }
}

/**
 * A deleted gateway keeps its id until it is purged. Only administrators may purge; for others
 * `addGateway` restores the gateway.
 */
async function purge(session: Session, gatewayId: string): Promise<void> {
  const path = `${pathOf(gatewayId)}/purge`
  await session.askIdentityServer({ method: 'DELETE', path }).catch((error) => {
    if (!(error instanceof RefusedCall)) throw error
  })
}

/**
 * Undefined when there is none of ours to restore: its EUI may belong to another gateway by now.
 */
async function restore(
  session: Session,
  { gatewayEui }: NetworkGateway,
): Promise<string | undefined> {
  const path = `${pathOf(usualGatewayId(gatewayEui))}/restore`
  try {
    await session.askIdentityServer({ method: 'POST', path })
  } catch (error) {
    if (error instanceof RefusedCall) return undefined
    throw error
  }
  const found = await findGateway(session, gatewayEui)
  if (found) return found
  const restored = pathOf(usualGatewayId(gatewayEui))
  await session.askIdentityServer({ method: 'DELETE', path: restored })
  return undefined
}

/**
 * Searches, which shows only gateways of which the key's owner is a collaborator; other calls show
 * more.
 */
async function findGateway(session: Session, gatewayEui: string): Promise<string | undefined> {
  const { gateways: list } = await session.askIdentityServer({
    method: 'GET',
    path: '/search/gateways',
    query: { eui_contains: gatewayEui, field_mask: 'ids' },
  })
  const gateways = Array.isArray(list) ? list.filter(isObject) : []
  const found = gateways.find((one) => textOf(idsOf(one).eui).toUpperCase() === gatewayEui)
  return found && textOf(idsOf(found).gateway_id)
}

async function writeGateway(session: Session, gatewayId: string, changes: object): Promise<void> {
  const body = {
    gateway: { ids: { gateway_id: gatewayId }, ...changes },
    field_mask: { paths: Object.keys(changes) },
  }
  const call = { method: 'PUT', path: pathOf(gatewayId), body } as const
  await session.askIdentityServer(call).catch((error) => {
    throw nameRight(error, 'RIGHT_GATEWAY_SETTINGS_BASIC')
  })
}

/** Names the right. The Things Stack does not name it to a key without any right on gateways. */
function nameRight(error: unknown, right: string): unknown {
  const isDenied = error instanceof RefusedCall && error.status === 403
  if (!isDenied || error.message.includes('RIGHT_')) return error
  const words = `${error.message.replace(/\.$/, '')} (missing: ${right}).`
  return new NetworkError('unauthorized', words, { about: 'gateway' })
}

function describe(session: Session, gateway: NetworkGateway) {
  const { name, description, region, settings = {} } = gateway
  const { frequency_plan: plan = region && usualPlans[region], zone_id: zone } = settings
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...antennasOf(gateway),
    ...(plan ? { frequency_plan_ids: [plan] } : {}),
    gateway_server_address: hostOfZone(session.account, zone),
  }
}

/** The id that The Things Stack's own console gives a gateway. */
function usualGatewayId(gatewayEui: string): string {
  return `eui-${gatewayEui.toLowerCase()}`
}

function pathOf(gatewayId: string): string {
  return `/gateways/${encodeURIComponent(gatewayId)}`
}

import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeBy, changeOf, textOf } from '../../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import {
  optionalBoolean,
  pageQuery,
  queryChoice,
  requiredText,
  searchText,
  sortOrder,
} from '../../../http/fields.ts'
import { lite, liteList, pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { findNetwork } from '../../../networks/index.ts'
import { hashOfSecret, newCallbackSecret } from '../../accounts/connections/callback-secret.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { nameOrMore } from '../batches/batches.ts'
import * as gatewayQueries from '../inventory/gateway-queries.ts'
import { checkPlace, placeFields, toPlace } from '../inventory/places.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { tagsField } from '../inventory/tags.ts'
import { findNameFault, ipAddress, registrationFields } from './gateway-fields.ts'
import {
  callbackAddress,
  fullGateway,
  listedGateway,
  liteGateway,
  toFullGateway,
  toListedGateway,
  toLiteGateway,
} from './gateway-record.ts'
import { checkGateway, euiTaken } from './gateway-registration.ts'
import { lock, rotateToken } from './gateway-write-queries.ts'
import { changeGateways, insertGateways, removeGateways } from './gateway-writes.ts'

/** The settings of a gateway of kind `other`; empty texts for all others. */
const gatewayConfigs = z.object(
  withExamples(
    {
      /** For the header `Authorization: Bearer`. Null without `manage_gateways`. */
      authorisation_token: z.string().nullable(),
      /** The address to which it posts its uplinks. */
      download_link: z.string(),
    },
    { authorisation_token: '', download_link: '' },
  ),
)

function openToken({ id, sealed_token: sealed }: gatewayQueries.StoredGateway, sealer: Sealer) {
  return sealed ? sealer.open(sealed, sealContext('gatewayToken', id)) : ''
}

export const getGateway = endpoint({
  summary: 'Retrieve a gateway, and what it is set up with',
  params: gatewayPath,
  answer: z.object({ gateway: fullGateway, gateway_configs: gatewayConfigs }),
  failures: [404],
  async handle({ params, caller }, { db, sealer, publicUrl }) {
    const reference = readReference(params.gateway_id)
    const gateway = await gatewayQueries.find(db, caller.organizationId, reference)
    if (!gateway) throw notFound(gatewayNotFound)
    return {
      gateway: toFullGateway(gateway),
      gateway_configs: {
        authorisation_token: caller.permissions.includes('manage_gateways')
          ? openToken(gateway, sealer)
          : null,
        download_link: gateway.sealed_token ? callbackAddress(publicUrl, gateway.uuid) : '',
      },
    }
  },
})

/** Both lists of gateways; `version=lite` selects the lite one. */
export const listGateways = endpoint({
  summary: 'List gateways; `version=lite` selects the lite envelope and records',
  query: z.object({
    version: queryChoice('version', ['lite']).optional(),
    ...pageQuery,
    search: searchText(),
    gatewayEui: searchText('gateway EUI'),
    sortOrder,
  }),
  answer: z.union([paginated(listedGateway), lite(liteGateway)]),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { gateways, total } = await gatewayQueries.list(db, caller.organizationId, query, page)
    if (query.version === 'lite') return liteList(gateways.map(toLiteGateway), total, page)
    const { search, gatewayEui, sortOrder, itemsPerPage } = query
    return paginatedList(gateways.map(toListedGateway), total, page, {
      request,
      payload: { page: query.page, search, gatewayEui, sortOrder, itemsPerPage },
    })
  },
})

const created = 'Gateway has been created successfully.' as const

/**
 * The network is called at once; when it does not answer in time, the gateway stays pending and the
 * provisioner tries again.
 */
export const createGateway = endpoint({
  summary: 'Register a gateway, with the fields of its network’s form',
  body: registrationFields,
  examples: [
    {
      name: 'ChirpStack',
      body: {
        gateway_bridge: 'chirpstack',
        gateway_name: 'Roof',
        gateway_eui: '00AA0000000000F1',
        gateway_ip: '192.168.2.1',
        region: 'EU868',
      },
    },
    {
      name: 'The Things Stack',
      body: {
        gateway_bridge: 'thethingsnetwork',
        gateway_name: 'Roof',
        gateway_eui: '00AA0000000000F1',
        frequency_plan: 'EU_863_870_TTN',
        zone_id: 'eu1',
      },
    },
  ],
  answer: z.object({
    status: z.literal(true),
    message: z.literal(created),
    gateway: fullGateway,
    ...warningsField,
  }),
  change: changeBy(({ body }) => ({
    kind: 'gateway',
    action: 'registered',
    subject: textOf(body.gateway_eui)?.toUpperCase(),
    name: textOf(body.gateway_name),
  })),
  async handle({ body, caller, record }, services: ProvisioningServices) {
    const { db, sealer, provisioner, now } = services
    const { organizationId } = caller
    const registration = await checkGateway(db, organizationId, body)
    const id = await db.transaction(async (tx) => {
      const what = { registrations: [registration], now: now() }
      const ids = await insertGateways(tx, sealer, caller, what)
      // Another registration took the EUI since the check.
      if (!ids?.[0]) throw invalid(euiTaken)
      await record(tx)
      return ids[0]
    })
    announce(services, organizationId, { kind: 'gateway', id })
    await provisioner.provisionGatewayNow(id)
    const gateway = await gatewayQueries.findRegistered(db, organizationId, id)
    return {
      status: true as const,
      message: created,
      gateway: toFullGateway(gateway),
      // The record of a pending or refused gateway has the reason.
      ...(gateway.register_error === null ? {} : { warnings: [gateway.register_error] }),
    }
  },
})

const updated = 'Gateway updated successfully.'

export const changeGateway = endpoint({
  summary: 'Change the name of a gateway, its address, tags and place',
  description:
    'The name is required without tags or a place. Name and place go to the network, as far as it takes them.',
  params: gatewayPath,
  body: z
    .object(
      withExamples(
        {
          gateway_name: requiredText('gateway name').optional(),
          gateway_ip: ipAddress,
          tags: tagsField.optional().describe('All tags: those that are left out go.'),
          ...placeFields,
        },
        {
          ...{ gateway_name: 'Tower', gateway_ip: '192.168.2.7', latitude: 53.5436 },
          ...{ longitude: 9.9886, altitude: 12, place_source: 'map' },
        },
      ),
    )
    .refine(...nameOrMore('gateway_name', 'gateway name'))
    .superRefine(checkPlace),
  answer: z.object({ status: z.literal(true), message: z.literal(updated) }),
  failures: [404],
  change: changeOf('gateway', 'changed'),
  async handle({ params, body, caller, record }, services: ProvisioningServices) {
    const { db, provisioner, now } = services
    const reference = readReference(params.gateway_id)
    const { organizationId } = caller
    const id = await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      const { gateway_name: name, gateway_ip: ip, tags } = body
      const network = findNetwork(gateway.network)
      const fault = network && name !== undefined && findNameFault(network, name)
      if (fault) throw invalid({ gateway_name: [fault] })
      const change = { gateway, name, ip, tags, place: toPlace(body) }
      await changeGateways(tx, organizationId, [change], now())
      await record(tx)
      return gateway.id
    })
    provisioner.wake()
    announce(services, organizationId, { kind: 'gateway', id })
    return { status: true as const, message: updated }
  },
})

/** The outbox tells the network to remove the gateway; devices registered with it stay. */
export const deleteGateway = endpoint({
  summary: 'Delete a gateway',
  description:
    'Its network is told to forget it, again and again while that is out of reach; should it refuse, `POST /network-accounts/{network}/reconcile` shows the gateway as `only_at_network`.',
  params: gatewayPath,
  status: 204,
  failures: [404],
  change: changeOf('gateway', 'deleted'),
  async handle(
    { params, caller: { organizationId }, record },
    { db, provisioner, now, signals }: ProvisioningServices,
  ) {
    const reference = readReference(params.gateway_id)
    const id = await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      await removeGateways(tx, organizationId, [gateway], now())
      await record(tx)
      return gateway.id
    })
    provisioner.wake()
    announce({ signals }, organizationId, { kind: 'gateway', id })
  },
})

const overlapMilliseconds = 24 * 60 * 60 * 1000

const tooMany =
  'Too many former tokens are still valid. Please send end_former to end them, or wait.'

export const rotateGatewayToken = endpoint({
  summary: 'Make another token of a gateway of kind `other`; the old one stays valid for 24 hours',
  description:
    'Every former token is valid for 24 hours from the moment at which it was replaced; 409 when there are 10 of them. With `end_former` all of them end at once.',
  params: gatewayPath,
  body: z.object(
    withExamples({ end_former: optionalBoolean('end former') }, { end_former: false }),
  ),
  answer: z.object({
    data: z.object(
      withExamples(
        { authorisation_token: z.string(), download_link: z.string() },
        {
          authorisation_token: 'exampleTokenM2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5TQ',
          download_link:
            'https://console.example.com/v1/callbacks/other/00000000-0000-4000-a000-0000000000f2',
        },
      ),
    ),
  }),
  failures: [404, 409],
  change: changeOf('gateway', 'given a new token'),
  async handle({ params, body, caller, record }, { db, sealer, now, publicUrl }) {
    const reference = readReference(params.gateway_id)
    const gateway = await gatewayQueries.find(db, caller.organizationId, reference)
    if (!gateway) throw notFound(gatewayNotFound)
    if (!gateway.sealed_token) {
      throw invalid({ gateway_id: ['Only a gateway of kind other has a token.'] })
    }
    const token = newCallbackSecret()
    const sealed = sealer.seal(token, sealContext('gatewayToken', gateway.id))
    const present = now().getTime()
    await db.transaction(async (tx) => {
      const isRotated = await rotateToken(
        tx,
        caller.organizationId,
        { id: gateway.id, sealed, hash: hashOfSecret(token) },
        {
          now: present,
          until: present + overlapMilliseconds,
          endsFormer: body.end_former ?? false,
        },
      )
      if (!isRotated) throw conflict(tooMany)
      await record(tx)
    })
    return {
      data: {
        authorisation_token: token,
        download_link: callbackAddress(publicUrl, gateway.uuid),
      },
    }
  },
})

import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice, queryInteger, searchText, sortOrder } from '../../../http/fields.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { degrees, nowhere, type Place } from '../inventory/places.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { tagFilter } from '../inventory/tags.ts'
import { verdictStates } from '../inventory/verdict.ts'
import * as fleetGatewayQueries from './fleet-gateway-queries.ts'
import { findFleetGateway } from './fleet-gateway-queries.ts'
import { fleetGateway, toFleetGateway } from './fleet-gateway-record.ts'
import { readGatewayHours } from './gateway-hours.ts'
import { lock } from './gateway-write-queries.ts'
import { changeGateways } from './gateway-writes.ts'

const hour = 60 * 60 * 1000
const mostHours = 24 * 365

export const listFleetGateways = endpoint({
  summary: 'List gateways as the console shows them, filtered and sorted',
  description:
    '`silent` finds gateways that were not heard for so many hours, or never. `uptime` orders by that of 30 days. `after` continues' +
    ' behind the last record of an answer, also when others come or go meanwhile; it needs the same' +
    ' `sort` and `order`.',
  query: z.object({
    search: searchText(),
    network: searchText('network').optional(),
    tag: tagFilter,
    status: queryChoice('status', ['pending', 'active', 'register_error']).optional(),
    verdict: queryChoice('verdict', verdictStates).optional(),
    silent: queryInteger('silent', { min: 1, max: mostHours, fallback: 0 }),
    sort: queryChoice('sort', [
      'name',
      'network',
      'status',
      'first_seen',
      'last_seen',
      'uptime',
      'uplink_count',
      'downlink_count',
      'created_at',
    ]).default('name'),
    order: sortOrder,
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
    after: queryInteger('after', { min: 1, fallback: 0 }),
  }),
  answer: z.object({
    data: z.array(fleetGateway),
    total: z.int().meta({ examples: [1] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  }),
  async handle({ query, caller }, { db, now }) {
    const { search, network, tag, status, verdict, silent, sort, order, limit, offset } = query
    const time = now()
    const silentSince = silent > 0 ? new Date(time.getTime() - silent * hour) : undefined
    const after = query.after || null
    const filter = { search, network: network || undefined, tag, status, verdict, silentSince }
    const page = { sort, order, limit, offset, after, now: time }
    const { total, gateways } = await fleetGatewayQueries.listFleetGateways(
      db,
      caller.organizationId,
      filter,
      page,
    )
    const last = gateways.length === limit ? gateways.at(-1) : undefined
    return {
      data: gateways.map((gateway) => toFleetGateway(gateway, time)),
      total,
      after: last ? String(last.id) : null,
    }
  },
})

const gatewayHour = z
  .object(
    withExamples(
      { hour: z.string(), uplinks: z.int().nullable(), downlinks: z.int().nullable() },
      { hour: '2026-03-01T11:00:00.000000Z', uplinks: 118, downlinks: 1 },
    ),
  )
  .meta({ id: 'GatewayHour' })

export const showFleetGateway = endpoint({
  summary: 'Retrieve a gateway as the console shows it, with its traffic of a week',
  description:
    'An hour begins up to a minute late, and is null where the service was down when it began or' +
    ' ended.',
  params: gatewayPath,
  answer: z.object({
    data: z
      .object({
        ...fleetGateway.shape,
        ...withExamples(
          {
            settings: z.record(z.string(), z.string()).meta({
              description: 'What its network’s form asked for.',
            }),
          },
          { settings: { concentrator: 'SX1303' } },
        ),
        hours: z.array(gatewayHour),
      })
      .meta({ id: 'FleetGatewayWithTraffic' }),
  }),
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const reference = readReference(params.gateway_id)
    const time = now()
    const gateway = await findFleetGateway(db, caller.organizationId, reference, time)
    if (!gateway) throw notFound(gatewayNotFound)
    const hours = await readGatewayHours(db, caller.organizationId, gateway, time)
    return { data: { ...toFleetGateway(gateway, time), settings: gateway.settings, hours } }
  },
})

export const placeGateway = endpoint({
  summary: 'Set the location of a gateway; null uses what its network reports',
  description: 'PATCH /gateways/{gateway_id} does the same, and knows altitude and source.',
  params: gatewayPath,
  body: z.object({
    position: z
      .object(
        withExamples(
          { lat: degrees('latitude', 90), lng: degrees('longitude', 180) },
          { lat: 48.137, lng: 11.575 },
        ),
        { error: 'The position must have a lat and a lng, or be null.' },
      )
      .refine(({ lat, lng }) => lat !== 0 || lng !== 0, nowhere)
      .nullable(),
  }),
  answer: z.object({ data: fleetGateway }),
  failures: [404],
  change: changeOf('gateway', 'changed'),
  async handle({ params, body, caller, record }, services: ProvisioningServices) {
    const { db, now, provisioner } = services
    const { organizationId } = caller
    const reference = readReference(params.gateway_id)
    const { position } = body
    const gateway = await db.transaction(async (tx) => {
      const stored = await lock(tx, organizationId, reference)
      if (!stored) throw notFound(gatewayNotFound)
      const place: Place | null = position && {
        ...{ latitude: position.lat, longitude: position.lng, altitude: null },
        source: 'typed',
      }
      await changeGateways(tx, organizationId, [{ gateway: stored, place }], now())
      const placed = await findFleetGateway(tx, organizationId, reference, now())
      if (!placed) throw notFound(gatewayNotFound)
      await record(tx)
      return placed
    })
    provisioner.wake()
    announce(services, organizationId, { kind: 'gateway', id: gateway.id })
    return { data: toFleetGateway(gateway, now()) }
  },
})

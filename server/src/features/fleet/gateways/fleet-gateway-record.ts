import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { accountNameInAnswer, methodInAnswer } from '../../accounts/connections/account-name.ts'
import { type PlaceRow, placeInAnswer, placeOf } from '../inventory/places.ts'
import { tagsInAnswer } from '../inventory/tags.ts'
import { verdictRecord } from '../inventory/verdict.ts'
import type { FleetGateway } from './fleet-gateway-queries.ts'
import { toGatewayVerdict } from './gateway-verdict.ts'

/** The records of a gateway for the console. */

const position = z
  .object(
    withExamples(
      {
        lat: z.number(),
        lng: z.number(),
        source: z.enum(['own', 'network']).meta({
          description:
            '`own`: set here. `network`: as the network last told it with an uplink of the gateway.',
        }),
      },
      { lat: 48.137, lng: 11.575, source: 'own' },
    ),
  )
  .meta({ id: 'GatewayPosition' })

export const fleetGateway = z
  .object({
    ...withExamples(
      { id: z.int(), gateway_eui: z.string(), name: z.string() },
      { id: 7, gateway_eui: '00AA0000000000F1', name: 'Roof' },
    ),
    network: z.object(
      withExamples(
        { key: z.string(), name: z.string() },
        { key: 'chirpstack', name: 'ChirpStack v4' },
      ),
    ),
    ...withExamples(
      {
        register_method: z.enum(['user_account', 'vendor']),
        ...accountNameInAnswer,
        status: z.enum(['pending', 'active', 'register_error']),
        error: z.string().nullable().meta({
          description: 'Why the network has not registered it, also while it is pending.',
        }),
        first_seen: z.string().nullable(),
        last_seen: z.string().nullable(),
        uplink_count: z.int(),
        downlink_count: z.int(),
        uptime_7_days: z
          .number()
          .nullable()
          .describe('In percent: of the last 7 days, or since its first uplink; null before that.'),
        uptime_30_days: z.number().nullable(),
      },
      {
        register_method: 'user_account',
        status: 'active',
        error: null,
        first_seen: '2026-02-02T10:20:41.000000Z',
        last_seen: '2026-03-01T11:59:07.000000Z',
        uplink_count: 18422,
        downlink_count: 37,
        uptime_7_days: 99.64,
        uptime_30_days: 99.91,
      },
    ),
    position: position.nullable().describe('The same place in short; `own` if a person said it.'),
    ...placeInAnswer,
    verdict: verdictRecord,
    ...withExamples(
      {
        description: z.string().nullable(),
        ip: z.string().nullable(),
        region: z.string().nullable(),
        tags: tagsInAnswer,
        created_at: z.string(),
      },
      {
        description: 'Behind the chimney',
        ip: '192.168.2.1',
        region: 'EU868',
        tags: { owner: 'city' },
        created_at: '2026-02-02T10:15:00.500000Z',
      },
    ),
  })
  .meta({ id: 'FleetGateway' })

export function toFleetGateway(gateway: FleetGateway, now: Date): z.infer<typeof fleetGateway> {
  const { told_latitude: latitude, told_longitude: longitude } = gateway
  const isTold = latitude !== null && longitude !== null
  const told = isTold ? ({ latitude, longitude, source: 'network' } as const) : undefined
  const place = placeOf(gateway, told)
  return {
    id: gateway.id,
    gateway_eui: gateway.gateway_eui,
    name: gateway.name,
    network: { key: gateway.network, name: findNetwork(gateway.network)?.name ?? gateway.network },
    ...methodInAnswer(gateway.register_method),
    status: gateway.register_status,
    error: gateway.register_error,
    first_seen: timeOf(gateway.first_seen),
    last_seen: timeOf(gateway.last_seen),
    uplink_count: gateway.uplink_count,
    downlink_count: gateway.downlink_count,
    uptime_7_days: uptimeOf(gateway.uptime_7_days),
    uptime_30_days: uptimeOf(gateway.uptime_30_days),
    position: toPosition(place),
    ...place,
    verdict: toGatewayVerdict(gateway, now),
    description: gateway.description,
    ip: gateway.ip,
    region: gateway.region,
    tags: gateway.tags,
    created_at: isoTime(gateway.created_at),
  }
}

function uptimeOf(percent: number | null): number | null {
  return percent === null ? null : roundUptime(percent)
}

function timeOf(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

function toPosition({ latitude: lat, longitude: lng, place_source }: PlaceRow) {
  const source: 'own' | 'network' = place_source === 'network' ? 'network' : 'own'
  return lat === null || lng === null ? null : { lat, lng, source }
}

/** Down, so that 100 % means no outage. */
export function roundUptime(percent: number): number {
  return Math.max(0, Math.floor(percent * 100 + 1e-6) / 100)
}

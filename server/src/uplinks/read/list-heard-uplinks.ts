import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { findFleetGateway } from '../../features/fleet/gateways/fleet-gateway-queries.ts'
import {
  gatewayNotFound,
  gatewayPath,
  readReference,
} from '../../features/fleet/inventory/references.ts'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { queryInteger } from '../../http/fields.ts'
import { isoTime } from '../../http/timestamps.ts'
import { listHeardUplinks as readHeardUplinks } from './heard-queries.ts'
import { aboutReading, readRange, rounded, toReadRange } from './heard-record.ts'

const heardUplink = z
  .object(
    withExamples(
      {
        id: z.int(),
        device: z.object(
          withExamples(
            { id: z.int(), device_eui: z.string(), name: z.string() },
            { id: 101, device_eui: '00AA000000000001', name: 'Front door' },
          ),
        ),
        event_time: z.string(),
        event_type: z.string(),
        f_cnt: z.int(),
        data_rate: z.string().nullable(),
        rssi: z.number().nullable().meta({ description: 'At this gateway, in dBm.' }),
        snr: z.number().nullable().meta({ description: 'At this gateway, in dB.' }),
      },
      {
        id: 90210,
        event_time: '2026-03-01T11:59:07.000000Z',
        event_type: 'DOOR_SENSOR',
        f_cnt: 1184,
        data_rate: 'SF9BW125',
        rssi: -97,
        snr: 6.2,
      },
    ),
  )
  .meta({ id: 'HeardUplink' })

export const listHeardUplinks = endpoint({
  summary: 'List the newest uplinks that a gateway heard',
  description: aboutReading,
  params: gatewayPath,
  query: z.object({ limit: queryInteger('limit', { min: 1, max: 1000, fallback: 50 }) }),
  answer: z.object({
    data: z.array(heardUplink),
    total: z.int().meta({ examples: [1] }),
    read: readRange,
  }),
  failures: [404],
  isHeavy: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const gateway = await findFleetGateway(
      db,
      organizationId,
      readReference(params.gateway_id),
      now(),
    )
    if (!gateway) throw notFound(gatewayNotFound)
    const found = await readHeardUplinks(db, organizationId, gateway, query.limit)
    return {
      data: found.uplinks.map(({ device_id, device_eui, device_name, ...uplink }) => ({
        id: uplink.id,
        device: { id: device_id, device_eui, name: device_name },
        event_time: isoTime(uplink.event_time),
        event_type: uplink.event_type,
        f_cnt: uplink.f_cnt,
        data_rate: uplink.data_rate,
        rssi: rounded(uplink.rssi),
        snr: rounded(uplink.snr),
      })),
      total: found.total,
      read: toReadRange(found.read),
    }
  },
})

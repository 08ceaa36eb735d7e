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
import { listHeardDevices as readHeardDevices } from './heard-queries.ts'
import { aboutReading, readRange, rounded, toReadRange } from './heard-record.ts'

const heardDevice = z
  .object(
    withExamples(
      {
        id: z.int(),
        device_eui: z.string(),
        name: z.string(),
        last_heard: z.string(),
        uplinks: z.int(),
        rssi: z.number().nullable().meta({ description: 'The mean, in dBm.' }),
        snr: z.number().nullable().meta({ description: 'The mean, in dB.' }),
      },
      {
        id: 101,
        device_eui: '00AA000000000001',
        name: 'Front door',
        last_heard: '2026-03-01T11:59:07.000000Z',
        uplinks: 48,
        rssi: -97.4,
        snr: 6.2,
      },
    ),
  )
  .meta({ id: 'HeardDevice' })

export const listHeardDevices = endpoint({
  summary: 'List the devices that a gateway hears, the one heard last first',
  description: aboutReading,
  params: gatewayPath,
  query: z.object({ limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }) }),
  answer: z.object({
    data: z.array(heardDevice),
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
    const found = await readHeardDevices(db, organizationId, gateway, query.limit)
    return {
      data: found.devices.map(({ id, device_eui, name, last_heard, uplinks, rssi, snr }) => ({
        id,
        device_eui,
        name,
        last_heard: isoTime(last_heard),
        uplinks,
        rssi: rounded(rssi),
        snr: rounded(snr),
      })),
      total: found.total,
      read: toReadRange(found.read),
    }
  },
})

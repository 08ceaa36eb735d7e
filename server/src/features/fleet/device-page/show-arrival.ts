import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { toPlainText } from '../../../uplinks/read/fleet-uplink-record.ts'
import { messageOf } from '../../../uplinks/rows/message.ts'
import { endpoint } from '../../core-services.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { readArrival } from './arrival-queries.ts'

const arrivalRecord = z
  .object(
    withExamples(
      {
        created_at: z.string(),
        joined_at: z
          .string()
          .nullable()
          .describe('Its first join, where the network reports joins; kept for 30 days.'),
        first_uplink: z
          .object({ time: z.string(), message: z.string() })
          .nullable()
          .describe('What was decoded, as plain text in lines.'),
        gateways_heard: z
          .int()
          .describe('Gateways of the organization that were seen within a day.'),
      },
      {
        created_at: '2026-03-01T11:58:00.000000Z',
        joined_at: '2026-03-01T12:00:00.000000Z',
        first_uplink: { time: '2026-03-01T12:00:09.000000Z', message: 'Door Closed' },
        gateways_heard: 2,
      },
    ),
  )
  .meta({ id: 'Arrival' })

export const showArrival = endpoint({
  summary: 'The first signs of life of a device: its join and its first uplink',
  params: devicePath,
  query: z.object({}),
  answer: z.object({ data: arrivalRecord }),
  failures: [404],
  async handle({ params, caller: { organizationId } }, { db, now }) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, organizationId, reference)
    const arrival = device && (await readArrival(db, organizationId, device.id, now()))
    if (!arrival) throw notFound('device not found')
    const { created_at, joined_at, first_uplink: first, gateways_heard } = arrival
    return {
      data: {
        created_at: isoTime(created_at),
        joined_at: joined_at === null ? null : isoTime(joined_at),
        first_uplink: first && {
          time: isoTime(first.time),
          message: toPlainText(messageOf(first)),
        },
        gateways_heard,
      },
    }
  },
})

import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { explainedFrame, explainParts, toFrameParts } from './explained-frame.ts'
import { findFrame } from './frame-queries.ts'

/** Ids of uplinks go beyond 32 bits. Text that cannot be an id becomes 0, which no row has. */
const uplinkId = z
  .string()
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
  .meta({ examples: ['90210'] })

const storedFrame = z
  .object({
    ...withExamples(
      { id: z.int(), event_time: z.string(), f_port: z.int(), f_cnt: z.int() },
      { id: 90210, event_time: '2026-03-01T11:59:07.775023Z', f_port: 2, f_cnt: 10 },
    ),
    ...explainedFrame.shape,
  })
  .meta({ id: 'StoredFrame' })

export const showUplinkFrame = endpoint({
  summary: 'What each byte of a stored uplink says',
  description:
    '`decoded_object` is what was stored when the uplink came. `parts` are read by the type that the device has now.',
  params: z.object({ ...devicePath.shape, uplink_id: uplinkId }),
  answer: z.object({ data: storedFrame }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const reference = readReference(params.device_id)
    const frame = await findFrame(db, caller.organizationId, reference, params.uplink_id)
    if (!frame) throw notFound('Uplink not found')
    const bytes = Uint8Array.fromHex(frame.payload)
    const format = frame.payload_format ?? 'built_in'
    const { eventDescription } = frame.decoded_object
    return {
      data: {
        id: frame.id,
        event_time: isoTime(frame.event_time),
        f_port: frame.f_port,
        f_cnt: frame.f_cnt,
        bytes: frame.payload,
        device_type: frame.type_id,
        format,
        event_type: frame.event_type,
        decoded_object: frame.decoded_object,
        error: frame.event_type === 'UNKNOWN' ? String(eventDescription) : null,
        parts: toFrameParts(bytes, explainParts(format, bytes)),
      },
    }
  },
})

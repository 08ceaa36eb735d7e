import { z } from 'zod'
import { invalid, notFound, unavailable } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredInteger } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { decodeFrame } from '../../../sensors/decode.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { endpoint } from '../../core-services.ts'
import { findDecoding } from '../../fleet/device-types/device-type-queries.ts'
import { callDecoding, toReading } from '../../fleet/device-types/type-codec.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import { explainedFrame, explainParts, toExplainedFrame, toFrameParts } from './explained-frame.ts'
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
  summary: 'Explain a stored uplink byte by byte',
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

/** The longest LoRaWAN payload has 242 bytes; networks pass on up to 255. */
const longestFrame = 255

const payload = z
  .string({ error: 'The payload must be a string.' })
  .transform((text) => text.replaceAll(/[\s:-]/g, ''))
  .refine(
    (text) => /^([0-9a-fA-F]{2})*$/.test(text),
    'The payload must be whole bytes in hexadecimal.',
  )
  .refine(
    (text) => text.length <= longestFrame * 2,
    `The payload may not have more than ${longestFrame} bytes.`,
  )
  .meta({ description: 'Hexadecimal; blanks, dashes and colons are ignored.' })

const portMessage = 'The fPort must be an integer from 1 to 255.'

export const explainFrame = endpoint({
  summary: 'Explain a frame byte by byte',
  description:
    'The frame is decoded as one of a device of this type, built in or your own; nothing is stored. `parts` covers each bit of it.',
  body: z.object({
    device_type: requiredInteger('device type'),
    payload,
    f_port: z.int(portMessage).min(1, portMessage).max(255, portMessage).nullish(),
  }),
  examples: [{ name: 'a door', body: { device_type: 16, payload: '1a0301' } }],
  changesNothing: true,
  answer: z.object({ data: explainedFrame }),
  failures: [503],
  async handle({ body, caller }, { db, codecs, now }) {
    const bytes = Uint8Array.fromHex(body.payload)
    const { device_type: typeId } = body
    const fPort = body.f_port ?? 1
    if (findDeviceType(typeId)) {
      const frame = { bytes, typeId, format: 'built_in' as const }
      return { data: toExplainedFrame(frame, decodeFrame({ bytes, fPort })) }
    }
    const decoding = await findDecoding(db, caller.organizationId, typeId)
    if (!decoding) throw invalid({ device_type: ['The selected device type is invalid.'] })
    const { payload_format: format, codec, revision, time_zone: timeZone } = decoding
    const version = { user: caller, purpose: 'trials' as const, typeId, codec, revision, timeZone }
    const input = { hex: body.payload, fPort }
    const call = { name: 'decodeUplink' as const, input, now: now() }
    const outcome = await callDecoding(codecs, version, call)
    if (!outcome.ok && outcome.failure === 'busy') throw unavailable(1)
    return { data: toExplainedFrame({ bytes, typeId, format }, toReading(outcome)) }
  },
})

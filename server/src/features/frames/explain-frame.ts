import { z } from 'zod'
import { invalid, unavailable } from '../../http/errors.ts'
import { requiredInteger } from '../../http/fields.ts'
import { decodeFrame } from '../../sensors/decode.ts'
import { findDeviceType } from '../../sensors/index.ts'
import { endpoint } from '../core-services.ts'
import { findDecoding } from '../device-types/device-type-queries.ts'
import { callDecoding, toReading } from '../device-types/type-codec.ts'
import { explainedFrame, toExplainedFrame } from './explained-frame.ts'

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

const portMessage = 'The f port must be an integer from 1 to 255.'

export const explainFrame = endpoint({
  summary: 'What each byte of a frame says',
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

import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { explainCayenneLpp } from '../../../sensors/explanation/explain-cayenne-lpp.ts'
import { explainFrame } from '../../../sensors/explanation/explain-frame.ts'
import { cover, type ExplainedPart, rawOf } from '../../../sensors/explanation/explained-bytes.ts'
import { renderObject } from '../../../sensors/render.ts'
import type { Reading } from '../../../sensors/sensor.ts'

/** A frame taken apart: what each of its bytes says. */

/** A part of a frame. The parts of a frame cover each of its bits once, in order. */
export const framePart = z
  .object(
    withExamples(
      {
        start: z.int().describe('The first byte, from 0.'),
        length: z.int().describe('In bytes.'),
        bits: z
          .object({ lowest: z.int(), count: z.int() })
          .nullable()
          .describe('Only these bits of the big-endian number of the bytes; null: all.'),
        label: z.string(),
        key: z
          .string()
          .nullable()
          .describe('The member of `decoded_object`, or the setting, that has the value.'),
        raw: z.string().describe('The bytes in hexadecimal, or the bits as 0 and 1.'),
        value: z.unknown().describe('Null where the bytes say nothing known.'),
        unit: z.string().nullable(),
        meaning: z.string().nullable().describe('The value in words.'),
      },
      {
        start: 2,
        length: 1,
        bits: null,
        label: 'State',
        key: 'state',
        raw: '01',
        value: 'open',
        unit: null,
        meaning: 'Door Opened',
      },
    ),
  )
  .meta({ id: 'FramePart' })

export const payloadFormats = ['built_in', 'ts013', 'cayenne_lpp'] as const
type Format = (typeof payloadFormats)[number]

export const explainedFrame = z
  .object({
    ...withExamples(
      {
        bytes: z.string().regex(/^([0-9a-f]{2})*$/),
        device_type: z.int(),
        format: z
          .enum(payloadFormats)
          .describe('Codecs (`ts013`) give a result, and do not say which bytes it is from.'),
        event_type: z.string(),
        decoded_object: z.record(z.string(), z.unknown()),
        error: z.string().nullable().describe('Why the frame could not be decoded.'),
      },
      {
        bytes: '1a0301',
        device_type: 16,
        format: 'built_in',
        event_type: 'DOOR_SENSOR',
        decoded_object: { eventDescription: 'Door Opened', state: 'open' },
        error: null,
      },
    ),
    parts: z.array(framePart),
  })
  .meta({ id: 'ExplainedFrame' })

/** The parts as the API gives them. */
export function toFrameParts(
  bytes: Uint8Array,
  parts: readonly ExplainedPart[],
): z.infer<typeof framePart>[] {
  return parts.map((part) => ({
    start: part.start,
    length: part.length,
    bits: part.bits ?? null,
    label: part.label,
    key: part.key ?? null,
    raw: rawOf(bytes, part),
    value: part.value ?? null,
    unit: part.unit ?? null,
    meaning: part.meaning ?? null,
  }))
}

/** The parts of an uplink. A codec does not say which bytes its values are from. */
export function explainParts(format: Format, bytes: Uint8Array): ExplainedPart[] {
  if (format === 'built_in') return explainFrame({ bytes, fPort: 1 }).parts
  if (format === 'cayenne_lpp') return explainCayenneLpp(bytes)
  return cover(bytes.length, [], 'Read by the codec')
}

/** A frame of this format with its reading. */
export function toExplainedFrame(
  { bytes, typeId, format }: { bytes: Uint8Array; typeId: number; format: Format },
  reading: Pick<Reading, 'event' | 'description' | 'values'>,
): z.infer<typeof explainedFrame> {
  return {
    bytes: bytes.toHex(),
    device_type: typeId,
    format,
    event_type: reading.event,
    decoded_object: renderObject({ ...reading, sequence: [], lines: [], status: {} }),
    error: reading.event === 'UNKNOWN' ? reading.description : null,
    parts: toFrameParts(bytes, explainParts(format, bytes)),
  }
}

import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import type { CodecOutcome } from '../../../sensors/codecs/codec.ts'
import { parseOutput } from '../../../sensors/codecs/codec-results.ts'
import { renderMessage, renderObject } from '../../../sensors/render.ts'
import { exampleOutput } from './codec-example.ts'
import { toReading } from './type-codec.ts'

/** What one call of a codec gave. */
export const triedFrame = z
  .object({
    ...withExamples(
      {
        /** The function's result; null when it returned nothing. */
        output: z.unknown(),
        error: z.string().nullable(),
        /** What an uplink with this frame would show; null for the downlink functions. */
        uplink: z
          .object({
            event_type: z.string(),
            decoded_object: z.record(z.string(), z.unknown()),
            decoded_message: z.string(),
          })
          .nullable(),
      },
      {
        output: exampleOutput,
        error: null,
        uplink: {
          event_type: 'DECODED',
          decoded_object: { eventDescription: 'temperature: 21.5', temperature: 21.5 },
          decoded_message: 'temperature: 21.5',
        },
      },
    ),
  })
  .meta({ id: 'TriedFrame' })

export function toTriedFrame(name: string, outcome: CodecOutcome): z.infer<typeof triedFrame> {
  const reading = name === 'decodeUplink' ? toReading(outcome) : undefined
  return {
    output: outcome.ok ? (parseOutput(outcome.text) ?? null) : null,
    error: outcome.ok ? null : outcome.message,
    uplink: reading
      ? {
          event_type: reading.event,
          decoded_object: renderObject(reading),
          decoded_message: renderMessage(reading),
        }
      : null,
  }
}

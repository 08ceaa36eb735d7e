import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import type { ShownReading } from '../../../sensors/shown-reading.ts'

export const exampleReading = {
  text: 'Open',
  parts: [
    {
      name: 'state',
      label: 'Door',
      value: 'open',
      unit: null,
      decimals: null,
      prefix: null,
      text: 'Open',
    },
  ],
  time: '2026-03-01T11:59:07.775023Z',
}

/** What a sensor says, as the lists beyond the contract, events and webhooks show it. */
export const readingRecord = z
  .object(
    withExamples(
      {
        text: z.string().describe('In a few words, and base units.'),
        parts: z
          .array(
            z.object({
              name: z.string().describe('The key of `decoded_object`, or the path within it.'),
              label: z.string(),
              value: z.unknown(),
              unit: z.string().nullable().describe('The base unit of the value, if it has one.'),
              decimals: z.int().nullable().describe('With how many a person is shown it.'),
              prefix: z
                .string()
                .nullable()
                .describe('What stands before a number; null where it is said in words.'),
              text: z.string(),
            }),
          )
          .describe('Empty where only the text is known.'),
        time: z.string().describe('When the sensor said it.'),
      },
      exampleReading,
    ),
  )
  .meta({ id: 'Reading' })

export function toReadingRecord(
  reading: ShownReading | undefined,
  time: string,
): z.infer<typeof readingRecord> | null {
  return reading ? { ...reading, time } : null
}

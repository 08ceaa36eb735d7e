import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { optionalLines } from '../../../http/fields.ts'
import type { CodecFunction, CodecOutcome } from '../../../sensors/codecs/codec.ts'
import { isShallow, noObject, parseOutput } from '../../../sensors/codecs/codec-results.ts'
import { compareJson, type JsonDifference } from './differences.ts'

/** Calls of a codec with the results that they must have: the tests of a codec. */

/** A codec, a call and its result for examples in the API reference. */
export const exampleCodec = `function decodeUplink(input) {
  return { data: { temperature: ((input.bytes[0] << 8) | input.bytes[1]) / 10 } }
}`
export const exampleCall = { hex: '00d7', fPort: 1 }
export const exampleOutput = { data: { temperature: 21.5 } }

const longestFrame = 255

/**
 * The input of a call. The frame is given as bytes or in hexadecimal; `data` is for encodeDownlink.
 */
export const codecInput = z.object(
  {
    bytes: z
      .array(z.int('The bytes must be integers.').min(0).max(255), {
        error: 'The bytes must be an array of 0 to 255.',
      })
      .max(longestFrame, `The bytes may not have more than ${longestFrame} items.`)
      .optional(),
    hex: z
      .string({ error: 'The hex must be a string.' })
      .regex(/^([0-9a-fA-F]{2})*$/, 'The hex must be whole bytes in hexadecimal.')
      .max(longestFrame * 2, `The hex may not be greater than ${longestFrame * 2} characters.`)
      .optional(),
    fPort: z
      .int('The fPort must be an integer.')
      .min(0, 'The fPort must be at least 0.')
      .max(255, 'The fPort may not be greater than 255.')
      .optional(),
    recvTime: z.iso
      .datetime({ offset: true, error: 'The recvTime must be a time in ISO 8601.' })
      .optional(),
    data: z.unknown().refine(isShallow, 'The data has too many levels.').optional(),
    variables: z
      .record(z.string(), z.string(), { error: 'The variables must be an object of strings.' })
      .optional(),
  },
  { error: 'The input must be an object.' },
)

export type CodecInput = z.infer<typeof codecInput>

export const codecFunction = z
  .enum(['decodeUplink', 'encodeDownlink', 'decodeDownlink'], {
    error: 'The function must be one of: decodeUplink, encodeDownlink, decodeDownlink.',
  })
  .default('decodeUplink')

const fields = z.object(
  {
    description: optionalLines('description'),
    function: codecFunction,
    input: codecInput,
    /** As TS013 has it: data, or bytes and fPort; errors; warnings. */
    output: z
      .record(z.string(), z.unknown(), { error: 'The output must be an object.' })
      .refine(isShallow, 'The output has too many levels.'),
  },
  { error: 'The example must be an object.' },
)

/** An example as it is sent. A stored example also names the function. */
export const codecExample = fields.meta({
  id: 'CodecExample',
  examples: [{ input: exampleCall, output: exampleOutput }],
})
export const storedExample = fields.meta({
  id: 'StoredCodecExample',
  examples: [{ function: 'decodeUplink', input: exampleCall, output: exampleOutput }],
})

export type StoredExample = z.infer<typeof codecExample>

/** A difference between two values. A missing value is left out. */
export const difference = z
  .object(
    withExamples(
      { path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() },
      { path: 'decoded_object.temperature', before: 2.15, after: 21.5 },
    ),
  )
  .meta({ id: 'Difference' })

/** The result of one example. */
export const exampleResult = z
  .object(
    withExamples(
      {
        description: z.string().nullable(),
        passed: z.boolean(),
        /** The codec's result; null when it returned nothing. */
        output: z.unknown(),
        /** Why the codec returned nothing. */
        error: z.string().nullable(),
        /** Differences between the example's output and the codec's. */
        differences: z.array(difference),
      },
      { description: null, passed: true, output: exampleOutput, error: null, differences: [] },
    ),
  )
  .meta({ id: 'CodecExampleResult' })

export type ExampleResult = z.infer<typeof exampleResult>

/** The input text for a codec. `now` is the receive time unless the input has one. */
export function toCallInput(name: CodecFunction, input: CodecInput, now: Date): string {
  const { hex, bytes, fPort = 1, recvTime = now.toISOString(), data = {}, variables = {} } = input
  if (name === 'encodeDownlink' || name === 'normalizeUplink')
    return JSON.stringify({ data, fPort, variables })
  const frame = bytes ?? [...Buffer.from(hex ?? '', 'hex')]
  return JSON.stringify({ bytes: frame, fPort, recvTime, variables })
}

export function judge(
  { description, output }: StoredExample,
  outcome: CodecOutcome,
): ExampleResult {
  const told = { description: description ?? null }
  const result = outcome.ok ? parseOutput(outcome.text) : undefined
  if (!result) {
    // An example may show that the codec refuses a frame: TS013 has `errors` for that, not
    // exceptions.
    const error = outcome.ok ? noObject : outcome.message
    return { ...told, passed: false, output: null, error, differences: [] }
  }
  const differences: JsonDifference[] = compareJson(comparable(output), comparable(result))
  return { ...told, passed: differences.length === 0, output: result, error: null, differences }
}

/** The members that TS013 defines. Empty lists count as absent; with errors the rest is ignored. */
function comparable(output: Record<string, unknown>): Record<string, unknown> {
  const { data, bytes, fPort, errors, warnings } = output
  const lists = {
    ...(isEmpty(errors) ? {} : { errors }),
    ...(isEmpty(warnings) ? {} : { warnings }),
  }
  if (lists.errors !== undefined) return lists
  return {
    ...(data === undefined || data === null ? {} : { data }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(fPort === undefined ? {} : { fPort }),
    ...lists,
  }
}

function isEmpty(list: unknown): boolean {
  return list === undefined || list === null || (Array.isArray(list) && list.length === 0)
}

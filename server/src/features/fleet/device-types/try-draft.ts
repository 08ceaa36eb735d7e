import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalText } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { readReference } from '../inventory/references.ts'
import {
  type CodecInput,
  codecFunction,
  codecInput,
  exampleCall,
  exampleCodec,
  exampleOutput,
  exampleResult,
} from './codec-example.ts'
import { checkCodec, deviceTypeFields, hashOf } from './device-type-body.ts'
import { findTimeZone } from './device-type-queries.ts'
import { listLatestOfDevice, listLatestUplinks, type PastUplink } from './past-uplink-queries.ts'
import { replay, replayed } from './replay.ts'
import { runExamples, warnOfCodec } from './saved-type.ts'
import { toTriedFrame, triedFrame } from './tried-frame.ts'
import { callDecoding } from './type-codec.ts'

const mostUplinks = 100
const lastMessage = `The last must be an integer from 1 to ${mostUplinks}.`

const body = z.object({
  payload_format: deviceTypeFields.payload_format,
  codec: deviceTypeFields.codec,
  examples: deviceTypeFields.examples,
  input: codecInput.optional(),
  function: codecFunction,
  last: z.int(lastMessage).min(1, lastMessage).max(mostUplinks, lastMessage).optional(),
  device: optionalText('device').describe('Whose latest uplinks: DevEUI or id.'),
  device_type: z
    .int('The device type must be an integer.')
    .nullish()
    .describe('Whose latest uplinks, where no `device` is named; built in, or your own.'),
})
type Draft = z.infer<typeof body>

const triedDraft = z
  .object({
    ...withExamples(
      { warnings: z.array(z.string()).describe('What saving it would warn of.') },
      { warnings: [] },
    ),
    example_results: z.array(exampleResult),
    frame: triedFrame.nullable().describe('Null without `input`.'),
    replay: replayed.nullable().describe('Null without `last`.'),
  })
  .meta({ id: 'TriedDraft' })

export const tryDraft = endpoint({
  summary: 'Try a codec that is not saved',
  description: `Nothing is stored. \`examples\` are run; \`input\` is a frame to call the codec with;
\`last\` reads so many of the latest uplinks again, of a device or of a type's devices, and tells for
each what would differ from what is stored. A codec that does not parse is 422, with the line.`,
  bodyLimit: bodyLimits.codec,
  body,
  examples: [
    {
      name: 'examples and a frame',
      body: {
        payload_format: 'ts013',
        codec: exampleCodec,
        examples: [{ input: exampleCall, output: exampleOutput }],
        input: exampleCall,
      },
    },
  ],
  changesNothing: true,
  answer: z.object({ data: triedDraft }),
  failures: [503],
  async handle({ body: draft, caller }, services) {
    const { db, codecs, sealer, now } = services
    const { organizationId } = caller
    const { payload_format, examples = [] } = draft
    const codec = draft.codec || null
    await checkCodec(codecs, caller, { payload_format, codec })
    const uplinks = await listUplinks(db, organizationId, draft)
    const timeZone = await findTimeZone(db, organizationId)
    const version = { user: caller, typeId: 0, codec, revision: hashOf(codec ?? ''), timeZone }
    const reference = { ...version, purpose: 'trials' as const }
    const call = (name: Draft['function'], input: CodecInput) =>
      callDecoding(codecs, reference, { name, input, now: now() })
    const { input, function: name } = draft
    const stored = examples.map((example) => ({ ...example, function: example.function }))
    const [warnings, results, frame, read] = await Promise.all([
      warnOfCodec(codecs, caller, { codec }),
      runExamples(services, caller, { ...version, id: 0, examples: stored }, timeZone),
      input ? call(name, input).then((outcome) => toTriedFrame(name, outcome)) : null,
      uplinks ? replay(sealer, uplinks, (given) => call('decodeUplink', given)) : null,
    ])
    return { data: { warnings, example_results: results, frame, replay: read } }
  },
})

/** The uplinks to read again; undefined where none are wanted. */
async function listUplinks(
  db: Queryable,
  organizationId: number,
  { last, device, device_type }: Draft,
): Promise<readonly PastUplink[] | undefined> {
  if (last === undefined) return undefined
  if (device) {
    const reference = readReference(device)
    const uplinks = await listLatestOfDevice(db, organizationId, reference, last)
    if (uplinks) return uplinks
    throw invalid({ device: ['The selected device is invalid.'] } satisfies FieldErrors)
  }
  if (device_type === undefined || device_type === null) {
    throw invalid({ device: ['Either device or device type is required.'] } satisfies FieldErrors)
  }
  return listLatestUplinks(db, organizationId, device_type, last)
}

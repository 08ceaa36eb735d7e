import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { endpoint } from '../../core-services.ts'
import {
  type CodecInput,
  codecFunction,
  codecInput,
  exampleCall,
  exampleCodec,
} from './codec-example.ts'
import { checkCodec, codecSource, hashOf } from './device-type-body.ts'
import * as typeQueries from './device-type-queries.ts'
import { deviceTypeNotFound, deviceTypePath } from './device-type-record.ts'
import { listLatestUplinks } from './past-uplink-queries.ts'
import { replay, replayed } from './replay.ts'
import { toTriedFrame, triedFrame } from './tried-frame.ts'
import { callDecoding } from './type-codec.ts'

const mostUplinks = 100

const lastMessage = `The last must be an integer from 1 to ${mostUplinks}.`

export const tryCodec = endpoint({
  summary: 'Try a codec on a frame, or on the latest uplinks',
  description: `With \`input\` the codec is called once and nothing is stored. With \`last\` the latest
uplinks of the type's devices, up to 100, are read again, and the answer tells for each what would
differ from what is stored. \`codec\` is the one to try; without it, the type's own.`,
  params: deviceTypePath,
  bodyLimit: bodyLimits.codec,
  body: z.object({
    input: codecInput.optional(),
    function: codecFunction,
    last: z.int(lastMessage).min(1, lastMessage).max(mostUplinks, lastMessage).optional(),
    codec: codecSource.optional(),
  }),
  examples: [
    { name: 'a frame', body: { input: exampleCall, codec: exampleCodec } },
    { name: 'the latest uplinks', body: { last: 20, codec: exampleCodec } },
  ],
  changesNothing: true,
  answer: z.union([
    z.object({ data: triedFrame }).meta({ title: 'a frame' }),
    z.object({ data: replayed }).meta({ title: 'the latest uplinks' }),
  ]),
  failures: [404, 503],
  async handle({ params, body, caller }, { db, codecs, sealer, now }) {
    const { organizationId } = caller
    const type = await typeQueries.find(db, organizationId, params.id)
    if (!type) throw deviceTypeNotFound()
    const { input, last } = body
    if ((input === undefined) === (last === undefined)) {
      throw invalid({ input: ['Either input or last is required.'] })
    }
    const { payload_format } = type
    const codec = body.codec || type.codec
    if (body.codec) await checkCodec(codecs, caller, { payload_format, codec })
    const revision = hashOf(codec ?? '')
    const timeZone = await typeQueries.findTimeZone(db, organizationId)
    const version = { user: caller, purpose: 'trials' as const, timeZone }
    const reference = { ...version, typeId: type.id, revision, codec }
    const call = (name: typeof body.function, given: CodecInput) =>
      callDecoding(codecs, reference, { name, input: given, now: now() })
    if (input) return { data: toTriedFrame(body.function, await call(body.function, input)) }
    const uplinks = await listLatestUplinks(db, organizationId, type.id, last ?? mostUplinks)
    return { data: await replay(sealer, uplinks, (frame) => call('decodeUplink', frame)) }
  },
})

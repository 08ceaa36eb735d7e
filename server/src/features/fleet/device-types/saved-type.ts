import { z } from 'zod'
import { warningsField } from '../../../http/unknown-members.ts'
import { parseObject } from '../../../sensors/codecs/codec-results.ts'
import type { CodecPool, CodecUser } from '../../../sensors/codecs/pool.ts'
import type { CoreServices } from '../../core-services.ts'
import { type ExampleResult, exampleResult, judge } from './codec-example.ts'
import { hashOf } from './device-type-body.ts'
import type { StoredType } from './device-type-queries.ts'
import { customType, toCustomType } from './device-type-record.ts'
import { callDecoding } from './type-codec.ts'

/** The answer to a new or changed type: the type and the results of its examples. */
const savedType = z
  .object({ ...customType.shape, example_results: z.array(exampleResult) })
  .meta({ id: 'SavedDeviceType' })

/** With a warning when the codec cannot read uplinks. */
export const savedTypeAnswer = z.object({ data: savedType, ...warningsField })

export async function toSavedTypeAnswer(
  services: Pick<CoreServices, 'codecs' | 'now'>,
  user: CodecUser,
  type: StoredType,
): Promise<z.infer<typeof savedTypeAnswer>> {
  const [results, warnings] = await Promise.all([
    runExamples(services, user, type),
    warnOfCodec(services.codecs, user, type),
  ])
  const data = { ...toCustomType(type), example_results: results }
  return warnings.length > 0 ? { data, warnings } : { data }
}

/** Runs the examples of a codec, which need not be stored. */
export function runExamples(
  { codecs, now }: Pick<CoreServices, 'codecs' | 'now'>,
  user: CodecUser,
  type: Pick<StoredType, 'id' | 'codec' | 'examples'> & { revision: number | string },
  timeZone?: string,
): Promise<ExampleResult[]> {
  const { id: typeId, codec, revision } = type
  const reference = { user, purpose: 'trials' as const, typeId, codec, revision, timeZone }
  return Promise.all(
    type.examples.map(async (example) => {
      const call = { name: example.function, input: example.input, now: now() }
      return judge(example, await callDecoding(codecs, reference, call))
    }),
  )
}

const missing = 'The codec has no function decodeUplink(input).'

/** Warns when an accepted codec cannot read uplinks. */
export async function warnOfCodec(
  codecs: CodecPool,
  user: CodecUser,
  { codec }: Pick<StoredType, 'codec'>,
): Promise<string[]> {
  if (codec === null) return []
  const outcome = await codecs.run({
    user,
    codecId: `functions of ${user.organizationId}:${hashOf(codec)}`,
    source: codec,
    name: 'functions',
    input: '',
  })
  const fate = 'Uplinks are kept as UNKNOWN.'
  if (!outcome.ok) {
    return outcome.failure === 'busy' ? [] : [`The codec cannot be loaded. ${fate}`]
  }
  if (parseObject(outcome.text)?.decodeUplink !== true) return [`${missing} ${fate}`]
  return /\bdecodeUplink\b/.test(codec) ? [] : [`${missing} ${olderFormIn(codec)}`]
}

/** The sandbox also calls the functions that networks used before TS013. */
function olderFormIn(codec: string): string {
  return /\bDecoder\b/.test(codec)
    ? 'Its Decoder(bytes, port), the form of The Things Stack v2, is called in its place.'
    : 'Its Decode(fPort, bytes, variables), the form of ChirpStack v3, is called in its place.'
}

import { z } from 'zod'
import { warningsField } from '../../http/unknown-members.ts'
import type { CoreServices } from '../core-services.ts'
import { type ExampleResult, exampleResult, judge } from './codec-example.ts'
import { warnOfCodec } from './codec-warnings.ts'
import type { StoredType } from './device-type-queries.ts'
import { customType, toCustomType } from './device-type-record.ts'
import { callDecoding } from './type-codec.ts'

/** What making or changing a type is answered with: the type, and how its examples went. */
const savedType = z
  .object({ ...customType.shape, example_results: z.array(exampleResult) })
  .meta({ id: 'SavedDeviceType' })

/** With a warning where no uplink can be read by the codec. */
export const savedTypeAnswer = z.object({ data: savedType, ...warningsField })

export async function toSavedTypeAnswer(
  services: Pick<CoreServices, 'codecs' | 'now'>,
  rootId: number,
  type: StoredType,
): Promise<z.infer<typeof savedTypeAnswer>> {
  const [results, warnings] = await Promise.all([
    runExamples(services, rootId, type),
    warnOfCodec(services.codecs, rootId, type),
  ])
  const data = { ...toCustomType(type), example_results: results }
  return warnings.length > 0 ? { data, warnings } : { data }
}

function runExamples(
  { codecs, now }: Pick<CoreServices, 'codecs' | 'now'>,
  rootId: number,
  type: StoredType,
): Promise<ExampleResult[]> {
  const { id: typeId, codec, revision } = type
  const reference = { rootId, purpose: 'trials' as const, typeId, codec, revision }
  return Promise.all(
    type.examples.map(async (example) => {
      const call = { name: example.function, input: example.input, now: now() }
      return judge(example, await callDecoding(codecs, reference, call))
    }),
  )
}

import { z } from 'zod'
import type { Services } from '../services.ts'
import { type ExampleResult, exampleResult, judge } from './codec-example.ts'
import type { StoredType } from './device-type-queries.ts'
import { customType, toCustomType } from './device-type-record.ts'
import { callDecoding } from './type-decoder.ts'

/** What making or changing a type is answered with: the type, and how its examples went. */
export const savedType = z
  .object({ ...customType.shape, example_results: z.array(exampleResult) })
  .meta({ id: 'SavedDeviceType' })

export async function toSavedType(
  services: Pick<Services, 'codecs' | 'now'>,
  rootId: number,
  type: StoredType,
): Promise<z.infer<typeof savedType>> {
  const results = await runExamples(services, rootId, type)
  return { ...toCustomType(type), example_results: results }
}

function runExamples(
  { codecs, now }: Pick<Services, 'codecs' | 'now'>,
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

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
  organizationId: number,
  type: StoredType,
): Promise<z.infer<typeof savedType>> {
  const results = await runExamples(services, organizationId, type)
  return { ...toCustomType(type), example_results: results }
}

function runExamples(
  { codecs, now }: Pick<Services, 'codecs' | 'now'>,
  organizationId: number,
  type: StoredType,
): Promise<ExampleResult[]> {
  // Under a name of its own: an example that never ends pauses the examples, not the devices.
  const reference = {
    organizationId,
    typeId: type.id,
    revision: `examples of ${type.revision}`,
    codec: type.codec,
  }
  return Promise.all(
    type.examples.map(async (example) => {
      const call = { name: example.function, input: example.input, now: now() }
      return judge(example, await callDecoding(codecs, reference, call))
    }),
  )
}

import { quantityUnits } from '../../../lora/units.ts'
import { readNormalized } from '../../../sensors/codecs/codec-results.ts'
import type { CodecUser } from '../../../sensors/codecs/pool.ts'
import { type OwnDeclaration, type OwnValue, ownValues } from '../../../sensors/own-measurements.ts'
import type { CoreServices } from '../../core-services.ts'
import { hashOf } from './device-type-body.ts'
import type { TypeValues } from './device-type-queries.ts'
import { mostMeasurements } from './own-measurement.ts'
import { callDecoding } from './type-codec.ts'

/*
 * What the values of a codec are, from its `normalizeUplink`, which gives them again under the names of The
 * Things Stack's schema. It is run on the examples when a type is saved: a value of the data that is the
 * normalized one in every example is what the schema says.
 */

/** What is no measurement. */
const aside = new Set(['time', 'air.location'])
const mostExamples = 20

/** The values with the measurements that nobody has declared yet. */
export async function completeQuantities<Values extends TypeValues>(
  services: Pick<CoreServices, 'codecs' | 'now'>,
  user: CodecUser,
  values: Values,
): Promise<Values> {
  if (!values.codec?.includes('normalizeUplink')) return values
  const candidates = new Map<string, readonly OwnValue[]>()
  for (const data of samplesOf(values)) {
    const said = ownValues(data, null)
    for (const [key, value] of await normalize(services, user, values.codec, data)) {
      const same = said.filter((one) => one.value === value)
      const before = candidates.get(key)
      candidates.set(key, before ? intersect(before, same) : same)
    }
  }
  const declared = new Set(values.measurements.map(({ name }) => name))
  const found = [...candidates].flatMap(([key, alike]) => declarationOf(key, alike))
  const added = found.filter(({ name }, place) => {
    const isFirst = found.findIndex((other) => other.name === name) === place
    return isFirst && !declared.has(name)
  })
  return { ...values, measurements: [...values.measurements, ...added].slice(0, mostMeasurements) }
}

type Data = Parameters<typeof ownValues>[0]

function samplesOf({ examples }: TypeValues): Data[] {
  return examples
    .filter((example) => example.function === 'decodeUplink')
    .map(({ output }) => output.data)
    .filter((data): data is Data => typeof data === 'object' && data !== null)
    .slice(0, mostExamples)
}

/** The normalized values by their place: the number of the measurement, and the quantity. */
async function normalize(
  { codecs, now }: Pick<CoreServices, 'codecs' | 'now'>,
  user: CodecUser,
  codec: string,
  data: Data,
): Promise<[string, unknown][]> {
  const version = { user, purpose: 'trials' as const, typeId: 0, codec, timeZone: undefined }
  const call = { name: 'normalizeUplink' as const, input: { data }, now: now() }
  const outcome = await callDecoding(codecs, { ...version, revision: hashOf(codec) }, call)
  return readNormalized(outcome).flatMap((item, place) =>
    ownValues(item, null)
      .filter(({ measurement }) => !aside.has(measurement.name))
      .map(({ measurement, value }): [string, unknown] => [`${place} ${measurement.name}`, value]),
  )
}

function intersect(before: readonly OwnValue[], same: readonly OwnValue[]): OwnValue[] {
  const names = new Set(before.map(({ measurement }) => measurement.name))
  return same.filter(({ measurement }) => names.has(measurement.name))
}

/** Of several values that are always alike, the one with the name of the quantity. */
function declarationOf(key: string, alike: readonly OwnValue[]): OwnDeclaration[] {
  const quantity = key.slice(key.indexOf(' ') + 1)
  const word = quantity.split('.').at(-1)?.toLowerCase() ?? ''
  const named = alike.filter(({ measurement }) => measurement.name.toLowerCase().includes(word))
  const [found, ...others] = alike.length > 1 ? named : alike
  if (!found || others.length > 0) return []
  const { name, unit } = found.measurement
  const ofSchema = unit === undefined ? quantityUnits[quantity] : undefined
  return [{ name, quantity, ...(ofSchema === undefined ? {} : { unit: ofSchema }) }]
}

import { type ServiceApi, ServiceRefusal } from '../service-api.ts'
import { chooseType, type TypeChoice } from './choose-types.ts'
import type { KnownType } from './known-fleet.ts'
import type { Source } from './source.ts'

interface Making {
  types: readonly KnownType[]
  choice: TypeChoice
  isDryRun: boolean
  tell(line: string): void
}

/** Stands for a type that a dry run would make. */
const unmadeId = 0

/**
 * Makes a device type of the organization's own for each profile of the source that has a codec and
 * no type yet: with its name and its codec. Returns them; a codec that the service refuses has none.
 */
export async function makeTypes(
  service: ServiceApi,
  { devices, codecs, lacking }: Source,
  { types, choice, isDryRun, tell }: Making,
): Promise<KnownType[]> {
  const made: KnownType[] = []
  for (const name of new Set(devices.flatMap(({ profile }) => profile ?? []))) {
    const codec = codecs.get(name)
    if (!codec || 'id' in chooseType(choice, types, name)) continue
    const words = lacking?.has(name) ? ` ${lacking.get(name)}` : ''
    if (isDryRun) {
      tell(`The device type "${name}" would be made, with its codec.${words}`)
      made.push({ id: unmadeId, name })
      continue
    }
    try {
      const { format: payload_format, script } = codec
      const body = { type_name: name, payload_format, ...(script && { codec: script }) }
      const { data } = await service.call('POST', '/device-types', { body })
      made.push({ id: data.id, name })
      tell(`The device type "${name}" was made, with its codec.${words}`)
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || error.status !== 422) throw error
      tell(`The device type "${name}" was not made. ${error.message}`)
    }
  }
  return made
}

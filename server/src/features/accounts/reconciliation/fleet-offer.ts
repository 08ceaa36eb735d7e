import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { deviceTypes, fullName } from '../../../sensors/index.ts'
import type { CatalogueModel } from '../../fleet/catalogue/catalogue-record.ts'
import type { TypeSummary } from '../../fleet/device-types/device-type-queries.ts'
import { payloadFormat } from '../../fleet/device-types/device-type-record.ts'
import { usableTags } from '../../fleet/inventory/tags.ts'
import type { Difference } from './difference.ts'

/** What a network has that is not here yet, summed up for the choice of groups and types. */

const counted = z
  .object(withExamples({ name: z.string(), devices: z.int() }, { name: 'Buildings', devices: 12 }))
  .meta({ id: 'OfferedPart' })

const offeredProfile = z
  .object({
    ...withExamples(
      {
        id: z.string().describe("The network's own id; empty where it has none."),
        name: z.string(),
        devices: z.int(),
        device_type: z
          .int()
          .nullable()
          .describe('The type of its model, or the one that its name points to, as a guess.'),
        model: z
          .string()
          .nullable()
          .describe(
            'Its model in the device catalogue, for POST /device-catalogue/{model_id}/types.',
          ),
      },
      {
        id: '00000000-0000-4000-a000-000000000004',
        name: 'RBS301 door',
        devices: 12,
        device_type: 16,
        model: null,
      },
    ),
    codec: z
      .object({ payload_format: payloadFormat, codec: z.string().nullable() })
      .nullable()
      .describe('What reads its payloads at the network, for POST /device-types.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'OfferedProfile' })

export type OfferedProfile = z.infer<typeof offeredProfile>

export const fleetOffer = z
  .object({
    ...withExamples(
      {
        devices: z.int().describe('Devices that only the network has.'),
        gateways: z.int(),
        taken: z.int().describe('Devices that cannot come: their EUI is registered elsewhere.'),
        named: z
          .int()
          .describe('Devices whose type the request names, and which no profile counts.'),
      },
      { devices: 12, gateways: 1, taken: 0, named: 0 },
    ),
    applications: z.array(counted),
    tags: z.array(counted).describe('Keys of tags.'),
    profiles: z.array(offeredProfile),
    names: z
      .array(z.string())
      .describe('Some of the devices, by name.')
      .meta({ examples: [['Door 1', 'Door 2']] }),
  })
  .meta({ id: 'FleetOffer' })

/** Profiles, applications and tags of one answer. */
const mostParts = 200
const mostNames = 5

export const isOffered = ({ difference, isTaken }: Difference) =>
  difference === 'only_at_network' && !isTaken

interface OfferParts {
  own: readonly TypeSummary[]
  /** Those of the catalogue by the ids of profiles. */
  models: ReadonlyMap<string, CatalogueModel>
  /** EUIs of devices whose type is named one by one. */
  named: ReadonlySet<string>
}

export function sumUpOffer(
  differences: readonly Difference[],
  { own, models, named }: OfferParts,
): z.infer<typeof fleetOffer> {
  const offered = differences.filter(isOffered)
  const devices = offered.filter(({ kind }) => kind === 'device')
  const applications = devices.map(({ applicationThere = '' }) => applicationThere)
  const keys = devices.flatMap(({ tagsThere }) => Object.keys(usableTags(tagsThere ?? {})))
  const others = devices.filter(({ eui }) => !named.has(eui))
  const profiles = Map.groupBy(others, ({ profileThere }) => profileThere?.id ?? '')
  return {
    devices: devices.length,
    gateways: offered.length - devices.length,
    taken: differences.filter(({ kind, isTaken }) => kind === 'device' && isTaken).length,
    named: devices.length - others.length,
    applications: count(applications.filter((name) => name !== '')),
    tags: count(keys),
    profiles: [...profiles].slice(0, mostParts).map(([id, [first, ...others]]) => {
      const name = first?.profileThere?.name ?? ''
      const model = models.get(id)
      const device_type = model?.device_type ?? guessType(name, own) ?? null
      const devices = 1 + others.length
      return { id, name, devices, device_type, model: model?.id ?? null, codec: null }
    }),
    names: devices.slice(0, mostNames).map(({ nameThere, eui }) => nameThere || eui),
  }
}

function count(names: readonly string[]): z.infer<typeof counted>[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length: devices }]) => ({ name, devices }))
    .sort((one, other) => other.devices - one.devices)
    .slice(0, mostParts)
}

/**
 * The type that the name of a profile points to: it is the type's name, or has its part number, or
 * the beginning of it (`RBS301` of `RBS301-DWS`), if no other type begins so.
 */
export function guessType(profile: string, own: readonly TypeSummary[]): number | undefined {
  const wanted = plain(profile)
  if (wanted === '') return undefined
  const known = [
    ...own.map(({ id, type_name, part_number }) => ({
      id,
      names: [type_name, `${part_number} - ${type_name}`],
      parts: [part_number],
    })),
    ...deviceTypes.map((type) => ({
      id: type.typeId,
      names: [type.typeName, fullName(type)],
      parts: [type.partNumber, ...(type.otherPartNumbers ?? [])],
    })),
  ]
  const named = known.find(({ names }) => names.some((name) => plain(name) === wanted))
  if (named) return named.id
  const has = (part: string) => part.length > 3 && wanted.includes(part)
  const whole = known.filter(({ parts }) => parts.some((part) => has(plain(part))))
  if (whole.length > 0) return onlyOne(whole)
  const begun = known.filter(({ parts }) =>
    parts.some((part) => has(plain(part.split('-')[0] ?? ''))),
  )
  return onlyOne(begun)
}

function onlyOne(types: readonly { id: number }[]): number | undefined {
  const ids = new Set(types.map(({ id }) => id))
  return ids.size === 1 ? types[0]?.id : undefined
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

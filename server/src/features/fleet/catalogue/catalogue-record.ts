import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { catalogueProfile } from '../device-types/type-origin.ts'
import {
  type CatalogueEntry,
  distinct,
  type EntryProfile,
  revisionOf,
} from './published/catalogue-entry.ts'

const sourceKind = z.enum(['built_in', 'folder', 'zip', 'git'])
export type SourceKind = z.infer<typeof sourceKind>

/** What lists show of a model, besides where it is from. */
const shownFields = withExamples(
  {
    vendor: z.string(),
    model: z.string(),
    part_number: z.string().describe('The first of `part_numbers`; empty where none is told.'),
    part_numbers: z.array(z.string()),
    description: z.string().nullable(),
    hardware_versions: z.array(z.string()),
    firmware_versions: z.array(z.string()),
    regions: z.array(z.string()).describe('Empty where they are not told.'),
    picture: z.string().nullable(),
    data_sheet: z.string().nullable(),
    product_page: z.string().nullable(),
    has_codec: z.boolean(),
  },
  {
    vendor: 'Acme',
    model: 'Cold probe',
    part_number: 'CP-1',
    part_numbers: ['CP-1'],
    description: 'Measures the temperature of freezers.',
    hardware_versions: ['1.0'],
    firmware_versions: ['1.2'],
    regions: ['EU868', 'US915'],
    picture: null,
    data_sheet: 'https://docs.example.com/cold-probe.pdf',
    product_page: 'https://www.example.com/cold-probe',
    has_codec: true,
  },
)
const shownModel = z.object(shownFields)
export type ShownModel = z.infer<typeof shownModel>

const modelFields = {
  ...withExamples({ id: z.string() }, { id: '12.acme.cold-probe' }),
  ...shownFields,
  source: z.object(
    withExamples(
      { id: z.string(), name: z.string(), kind: sourceKind },
      { id: '12', name: 'Device profiles', kind: 'git' as const },
    ),
  ),
  ...withExamples(
    {
      device_type: z
        .int()
        .nullable()
        .describe('What its devices are registered as: built in, or made of it already.'),
    },
    { device_type: null },
  ),
}

export const catalogueModel = z.object(modelFields).meta({ id: 'CatalogueModel' })
export type CatalogueModel = z.infer<typeof catalogueModel>

const catalogueVersion = z
  .object({
    ...withExamples(
      {
        firmware_version: z.string().nullable(),
        hardware_versions: z.array(z.string()),
        regions: z.array(z.string()),
        has_codec: z.boolean(),
      },
      {
        firmware_version: '1.2',
        hardware_versions: ['1.0'],
        regions: ['EU868', 'US915'],
        has_codec: true,
      },
    ),
    profiles: z.array(catalogueProfile),
  })
  .meta({ id: 'CatalogueVersion' })

export const wholeModel = z
  .object({
    ...modelFields,
    ...withExamples(
      {
        revision: z.string().nullable(),
        examples: z.int().describe('How many test cases its codec has.'),
      },
      { revision: '9f86d081884c7d65', examples: 4 },
    ),
    versions: z.array(catalogueVersion),
  })
  .meta({ id: 'CatalogueModelDetails' })

export const modelPath = z.object({
  model_id: z
    .string()
    .max(200)
    .meta({ examples: ['12.acme.cold-probe'] }),
})

export function modelNotFound(): HttpError {
  return notFound('Model not found')
}

/** A model as it is listed, searched and found. */
export interface IndexedModel {
  key: string
  shown: ShownModel
  /** In lower case. */
  names: string
  searched: string
  profileIds: string[]
  revision: string
}

export function toIndexed(entry: CatalogueEntry): IndexedModel {
  const { key, vendor, model, partNumbers, description, versions } = entry
  const profiles = versions.flatMap((version) => version.profiles)
  const shown: ShownModel = {
    vendor,
    model,
    part_number: partNumbers[0] ?? '',
    part_numbers: partNumbers,
    description,
    hardware_versions: distinct(versions.flatMap(({ hardware }) => hardware)),
    firmware_versions: distinct(versions.map(({ firmware }) => firmware)),
    regions: distinct(profiles.map(({ region }) => region)),
    picture: entry.picture,
    data_sheet: entry.dataSheet,
    product_page: entry.productPage,
    has_codec: versions.some(({ codec }) => codec !== null),
  }
  return {
    key,
    shown,
    ...toSearched(key, shown),
    profileIds: distinct(profiles.map(({ profileId }) => profileId)),
    revision: revisionOf(entry),
  }
}

export function toSearched(key: string, shown: ShownModel): { names: string; searched: string } {
  const names = [shown.vendor, shown.model, ...shown.part_numbers, key].join(' ').toLowerCase()
  const versions = shown.firmware_versions.map((version) => `firmware ${version}`)
  const hardware = shown.hardware_versions.map((version) => `hardware ${version}`)
  const rest = [...shown.regions, ...versions, ...hardware, shown.description ?? '']
  return { names, searched: `${names} ${rest.join(' ').toLowerCase()}` }
}

export function toVersions(entry: CatalogueEntry): z.infer<typeof catalogueVersion>[] {
  return entry.versions.map(({ firmware, hardware, profiles, codec }) => ({
    firmware_version: firmware,
    hardware_versions: hardware,
    regions: distinct(profiles.map(({ region }) => region)),
    has_codec: codec !== null,
    profiles: profiles.map(toProfile),
  }))
}

export function toProfile(profile: EntryProfile): z.infer<typeof catalogueProfile> {
  return {
    region: profile.region,
    mac_version: profile.macVersion,
    regional_parameters: profile.regionalParameters,
    activation: profile.activation,
    device_class: profile.deviceClass,
    supports_class_b: profile.supportsClassB,
    max_eirp: profile.maxEirp,
    profile_id: profile.profileId,
    details: profile.details,
  }
}

import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalText, queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { checkCodec } from '../device-types/device-type-body.ts'
import * as typeQueries from '../device-types/device-type-queries.ts'
import { completeQuantities } from '../device-types/normalized-quantities.ts'
import { savedTypeAnswer, toSavedTypeAnswer } from '../device-types/saved-type.ts'
import {
  catalogueModel,
  modelNotFound,
  modelPath,
  toVersions,
  wholeModel,
} from './catalogue-record.ts'
import { findAll, findModel, showModels } from './find-models.ts'
import type { CatalogueServices } from './folder-catalogue.ts'
import { keyOfModel } from './published/catalogue-entry.ts'
import { toTypeValues } from './take-model.ts'

const mostWords = 10

const q = z
  .string()
  .max(255, 'The q may not be greater than 255 characters.')
  .default('')
  .describe('Words that may be any part of the vendor, the model, its part numbers and the rest.')
  .meta({ examples: ['probe'] })

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, mostWords)
}

const narrowing = z.string().max(255).optional()

export const searchCatalogue = endpoint({
  summary: 'Models of devices to choose from',
  description: `Those that the service reads itself, those of the operator's folder, and those of your own
sources. Models whose name matches come first.`,
  query: z.object({
    q,
    vendor: narrowing.describe('Its exact name.'),
    region: narrowing.meta({ examples: ['EU868'] }),
    source: narrowing.describe('`builtin`, `folder`, or the id of a source.'),
    profile: z
      .string()
      .regex(/^[0-9a-fA-F]{8}$/, 'The profile must be 8 hexadecimal digits.')
      .optional()
      .describe('ProfileID of a QR code (LoRa Alliance TR005).')
      .meta({ examples: ['006D0001'] }),
    brand_id: narrowing.describe('As `version_ids` of The Things Stack, with `model_id`.'),
    model_id: narrowing,
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
  }),
  answer: z.object({ data: z.array(catalogueModel), total: z.int().meta({ examples: [1] }) }),
  async handle({ query, caller }, { db, catalogueFolder }: CatalogueServices) {
    const { vendor, region, source, profile, brand_id: brand, model_id: model } = query
    const found = await findAll(db, caller.organizationId, await catalogueFolder.list(), {
      words: wordsOf(query.q),
      ...{ vendor, region, source },
      profileId: profile?.toUpperCase(),
      key: brand || model ? keyOfModel(brand, model) : undefined,
    })
    const page = found.slice(query.offset, query.offset + query.limit)
    return { data: await showModels(db, caller.organizationId, page), total: found.length }
  },
})

const catalogueVendor = z
  .object(withExamples({ vendor: z.string(), models: z.int() }, { vendor: 'Acme', models: 12 }))
  .meta({ id: 'CatalogueVendor' })

export const listVendors = endpoint({
  summary: 'The vendors of these models',
  query: z.object({ q }),
  answer: z.object({ data: z.array(catalogueVendor) }),
  async handle({ query, caller }, { db, catalogueFolder }: CatalogueServices) {
    const words = wordsOf(query.q)
    const models = await catalogueFolder.list()
    const found = await findAll(db, caller.organizationId, models, { words })
    const vendors = Map.groupBy(found, ({ vendor }) => vendor)
    const data = [...vendors].map(([vendor, own]) => ({ vendor, models: own.length }))
    return { data: data.sort((one, other) => one.vendor.localeCompare(other.vendor, 'en')) }
  },
})

export const getModel = endpoint({
  summary: 'Retrieve a model, with its versions and profiles',
  params: modelPath,
  answer: z.object({ data: wholeModel }),
  failures: [404],
  async handle({ params, caller }, { db, catalogueFolder }: CatalogueServices) {
    const found = await findModel(db, caller.organizationId, catalogueFolder, params.model_id)
    if (!found) throw modelNotFound()
    const { model, entry, revision } = found
    const codecs = Object.values(entry?.codecs ?? {})
    return {
      data: {
        ...model,
        revision,
        examples: codecs.reduce((sum, { examples }) => sum + examples.length, 0),
        versions: entry ? toVersions(entry) : [],
      },
    }
  },
})

export const takeModel = endpoint({
  summary: 'Make a device type of a model',
  description: `The type has the codec of the model with its test cases, and says as \`catalogue\` where it
is from. A model that is built in needs no type of your own: its \`device_type\` is there already.`,
  params: modelPath,
  body: z.object(
    withExamples(
      {
        firmware_version: optionalText('firmware version').describe('Left out, the newest.'),
        region: optionalText('region'),
        type_name: optionalText('type name').describe('Left out, vendor and model.'),
      },
      { firmware_version: '1.2', region: 'EU868', type_name: 'Freezer probe' },
    ),
  ),
  status: 201,
  answer: savedTypeAnswer,
  failures: [404, 503],
  change: changeBy((done) => ({
    kind: 'device_type',
    action: 'created',
    subject: textOf(dataOf(done).id),
    name: textOf(dataOf(done).name),
  })),
  async handle({ params, body, caller, record }, services: CatalogueServices) {
    const { db, codecs, catalogueFolder, now } = services
    const { organizationId } = caller
    const found = await findModel(db, organizationId, catalogueFolder, params.model_id)
    if (!found) throw modelNotFound()
    const { firmware_version: firmwareVersion, region, type_name: typeName } = body
    const values = toTypeValues(found, { firmwareVersion, region, typeName }, now())
    await checkCodec(codecs, caller, values)
    const completed = await completeQuantities(services, caller, values)
    const type = await db.transaction(async (tx) => {
      const made = await typeQueries.insert(tx, organizationId, completed, now())
      await record(tx, { data: { id: made.id, name: made.type_name } })
      return made
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { conflict } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { difference, exampleResult } from '../device-types/codec-example.ts'
import { checkCodec, hashOf } from '../device-types/device-type-body.ts'
import * as typeQueries from '../device-types/device-type-queries.ts'
import { deviceTypeNotFound, deviceTypePath } from '../device-types/device-type-record.ts'
import { compareJson } from '../device-types/differences.ts'
import { completeQuantities } from '../device-types/normalized-quantities.ts'
import { listLatestUplinks } from '../device-types/past-uplink-queries.ts'
import { replay, replayed } from '../device-types/replay.ts'
import { runExamples, savedTypeAnswer, toSavedTypeAnswer } from '../device-types/saved-type.ts'
import { callDecoding } from '../device-types/type-codec.ts'
import { findModel } from './find-models.ts'
import type { CatalogueServices } from './folder-catalogue.ts'
import { toTypeValues } from './take-model.ts'

/** What a newer revision of a model would change in the type that was made of it. */

const mostUplinks = 100

const update = z
  .object({
    ...withExamples(
      {
        is_available: z.boolean().describe('The catalogue has another revision of the model.'),
        is_missing: z.boolean().describe('The model is in no catalogue any more.'),
        is_changed_here: z
          .boolean()
          .describe('The codec was changed here since; the update would replace it.'),
        revision: z.string(),
        newest_revision: z.string().nullable(),
      },
      {
        is_available: true,
        is_missing: false,
        is_changed_here: false,
        revision: '9f86d081884c7d65',
        newest_revision: '60303ae22b998861',
      },
    ),
    changes: z.array(difference).describe('In the profile, the links and the names.'),
    example_results: z.array(exampleResult).describe('Of the test cases of the newer codec.'),
    replay: replayed.nullable().describe('The latest uplinks, read by the newer codec.'),
  })
  .meta({ id: 'CatalogueUpdate' })

const nothing = { changes: [], example_results: [], replay: null }

export const showCatalogueUpdate = endpoint({
  summary: 'What a newer revision of its model would change in a device type',
  description: `The latest \`last\` uplinks of its devices are read by the newer codec, and compared with what is stored.
Nothing is changed.`,
  params: deviceTypePath,
  query: z.object({ last: queryInteger('last', { min: 1, max: mostUplinks, fallback: 20 }) }),
  answer: z.object({ data: update }),
  failures: [404, 409],
  async handle({ params, query, caller }, services: CatalogueServices) {
    const { db, codecs, sealer, now } = services
    const { organizationId } = caller
    const { type, origin, values } = await findUpdate(services, caller, params.id)
    const state = {
      is_missing: values === undefined,
      is_changed_here: hashOf(type.codec ?? '') !== origin.codec_hash,
      revision: origin.revision,
      newest_revision: values?.catalogue?.revision ?? null,
    }
    const isAvailable = values !== undefined && values.catalogue?.revision !== origin.revision
    if (!isAvailable) return { data: { is_available: false, ...state, ...nothing } }
    await checkCodec(codecs, caller, values)
    const timeZone = await typeQueries.findTimeZone(db, organizationId)
    const codec = values.codec
    const revision = hashOf(codec ?? '')
    const draft = { id: type.id, codec, examples: [...values.examples], revision }
    const version = { user: caller, purpose: 'trials' as const, typeId: type.id, codec, revision }
    const uplinks = await listLatestUplinks(db, organizationId, type.id, query.last)
    const [results, read] = await Promise.all([
      runExamples(services, caller, draft, timeZone),
      replay(sealer, uplinks, (input) =>
        callDecoding(codecs, { ...version, timeZone }, { name: 'decodeUplink', input, now: now() }),
      ),
    ])
    const changes = compareJson(toCompared(origin), toCompared(values.catalogue))
    return {
      data: { is_available: true, ...state, changes, example_results: results, replay: read },
    }
  },
})

export const applyCatalogueUpdate = endpoint({
  summary: 'Take the newer revision of its model into a device type',
  description: `Its codec and test cases become those of the catalogue; its name and what you have said of its
measurements stay. Uplinks that are stored stay as they were read.`,
  params: deviceTypePath,
  body: z.object({
    revision: z
      .string()
      .max(64)
      .nullish()
      .describe('The `newest_revision` that was looked at: 409 if there is another one by now.')
      .meta({ examples: [null] }),
  }),
  answer: savedTypeAnswer,
  failures: [404, 409, 503],
  change: changeOf('device_type', 'updated'),
  async handle({ params, body, caller, record }, services: CatalogueServices) {
    const { db, codecs, now } = services
    const { organizationId } = caller
    const { values } = await findUpdate(services, caller, params.id)
    if (!values) throw conflict('The model is in no catalogue any more.')
    if (body.revision && body.revision !== values.catalogue?.revision) {
      throw conflict('The catalogue has changed. Look at the update again.')
    }
    await checkCodec(codecs, caller, values)
    const type = await db.transaction(async (tx) => {
      const stored = await typeQueries.find(tx, organizationId, params.id, 'for update')
      if (!stored) throw deviceTypeNotFound()
      const { type_name, part_number, measurements } = stored
      const merged = { ...values, type_name, part_number, measurements }
      const { id, revision, codec } = stored
      const next = revision + (codec === values.codec ? 0 : 1)
      const updated = { ...merged, id, revision: next }
      await record(tx)
      return typeQueries.update(tx, organizationId, updated, now())
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

/** The type, and what it would become; without `values` its model is gone. */
async function findUpdate(services: CatalogueServices, caller: Caller, id: number) {
  const { db, catalogueFolder, now } = services
  const type = await typeQueries.find(db, caller.organizationId, id)
  if (!type) throw deviceTypeNotFound()
  const origin = type.catalogue
  if (!origin) throw conflict('The device type was not made of a model of the catalogue.')
  const model = await findModel(db, caller.organizationId, catalogueFolder, origin.model_id)
  const { firmware_version: firmwareVersion, region } = origin
  const entry = model?.entry
  const hasFirmware = entry?.versions.some(({ firmware }) => firmware === firmwareVersion)
  const choice = { firmwareVersion: hasFirmware ? firmwareVersion : undefined, region }
  const values = model && toTypeValues(model, choice, now())
  return { type, origin, values: values && (await completeQuantities(services, caller, values)) }
}

function toCompared(origin: typeQueries.TypeValues['catalogue']): unknown {
  if (!origin) return {}
  const { revision: _, taken_at: __, codec_hash: ___, ...rest } = origin
  return rest
}

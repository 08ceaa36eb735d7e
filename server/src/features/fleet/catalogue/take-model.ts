import { invalid } from '../../../http/errors.ts'
import { hashOf } from '../device-types/device-type-body.ts'
import type { TypeValues } from '../device-types/device-type-queries.ts'
import { toProfile } from './catalogue-record.ts'
import type { WholeModel } from './find-models.ts'
import type { CatalogueEntry, EntryVersion } from './published/catalogue-entry.ts'

/** What is chosen of a model. */
export interface Choice {
  firmwareVersion?: string | null | undefined
  region?: string | null | undefined
  typeName?: string | null | undefined
}

const mostExamples = 200
const longestName = 255

/**
 * The device type that a model becomes.
 *
 * @throws HttpError 422 for a version or region that the model does not have, and for one without a codec.
 */
export function toTypeValues(
  { model, entry, revision }: WholeModel,
  { firmwareVersion, region, typeName }: Choice,
  now: Date,
): TypeValues {
  if (!entry || revision === null) {
    throw invalid({
      model_id: [`The model is built in: register its devices as type ${model.device_type}.`],
    })
  }
  const version = chooseVersion(entry, firmwareVersion, region)
  const hasCodec = version.codec !== null && Object.hasOwn(entry.codecs, version.codec)
  const codec = hasCodec ? entry.codecs[version.codec ?? ''] : undefined
  if (!codec) throw invalid({ model_id: ['The catalogue has no codec for this model.'] })
  const profile = region
    ? version.profiles.find((one) => one.region === region)
    : version.profiles.length === 1
      ? version.profiles[0]
      : undefined
  return {
    type_name: (typeName ?? `${entry.vendor} ${entry.model}`).slice(0, longestName),
    part_number: entry.partNumbers[0] ?? '',
    payload_format: 'ts013',
    codec: codec.source,
    examples: codec.examples.slice(0, mostExamples),
    measurements: [],
    catalogue: {
      model_id: model.id,
      vendor: entry.vendor,
      model: entry.model,
      firmware_version: version.firmware,
      region: profile?.region ?? region ?? null,
      revision,
      source: model.source.name,
      data_sheet: entry.dataSheet ?? entry.productPage,
      picture: entry.picture,
      taken_at: now.toISOString(),
      codec_hash: hashOf(codec.source),
      profile: profile ? toProfile(profile) : null,
    },
  }
}

/** Without a choice, the newest version, which catalogues name last, that has a codec. */
function chooseVersion(
  { versions }: CatalogueEntry,
  firmware: string | null | undefined,
  region: string | null | undefined,
): EntryVersion {
  const named = versions.filter((version) => !firmware || version.firmware === firmware)
  if (named.length === 0) {
    throw invalid({ firmware_version: ['The model has no such firmware version.'] })
  }
  const inRegion = named.filter(
    ({ profiles }) => !region || profiles.some((profile) => profile.region === region),
  )
  const chosen = inRegion.findLast(({ codec }) => codec !== null) ?? inRegion.at(-1)
  if (!chosen) throw invalid({ region: ['The model has no profile for this region.'] })
  return chosen
}

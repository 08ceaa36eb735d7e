import type { Queryable } from '../../../db/connect.ts'
import * as typeQueries from '../device-types/device-type-queries.ts'
import { builtInModels } from './built-in-models.ts'
import * as catalogueQueries from './catalogue-queries.ts'
import type { CatalogueModel, IndexedModel, ShownModel } from './catalogue-record.ts'
import type { FolderCatalogue } from './folder-catalogue.ts'
import type { CatalogueEntry } from './published/catalogue-entry.ts'

/** Searches all that an organization may choose from: built-in models, the operator's folder, own sources. */

export interface Asked extends Omit<catalogueQueries.Search, 'source'> {
  /** `builtin`, `folder`, or the id of a source. */
  source?: string | undefined
}

type Place = 'builtin' | 'folder' | number

export interface Found {
  place: Place
  key: string
  vendor: string
  model: string
  names: string
  /** Of what is in memory. */
  shown?: ShownModel
}

/** All models that match, names that match before descriptions, then by vendor and model. */
export async function findAll(
  db: Queryable,
  organizationId: number,
  folder: readonly IndexedModel[],
  asked: Asked,
): Promise<Found[]> {
  const { source, ...search } = asked
  const isWanted = (place: Place) => source === undefined || source === String(place)
  const stored =
    source === undefined || /^\d{1,15}$/.test(source)
      ? await catalogueQueries.findModels(db, organizationId, {
          ...search,
          source: source === undefined ? undefined : Number(source),
        })
      : []
  const found: Found[] = [
    ...(isWanted('builtin') ? matching('builtin', builtInModels, search) : []),
    ...(isWanted('folder') ? matching('folder', folder, search) : []),
    ...stored.map(({ source_id, ...rest }) => ({ place: source_id, ...rest })),
  ]
  const isNamed = ({ names }: Found) => search.words.every((word) => names.includes(word))
  return found
    .map((one) => ({ one, rank: isNamed(one) ? 0 : 1 }))
    .sort(
      (left, right) =>
        left.rank - right.rank ||
        order.compare(left.one.vendor, right.one.vendor) ||
        order.compare(left.one.model, right.one.model),
    )
    .map(({ one }) => one)
}

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function matching(
  place: Place,
  models: readonly IndexedModel[],
  { words, vendor, region, profileId, key }: Omit<catalogueQueries.Search, 'source'>,
): Found[] {
  return models
    .filter(
      (model) =>
        words.every((word) => model.searched.includes(word)) &&
        (vendor === undefined || model.shown.vendor === vendor) &&
        (region === undefined || model.shown.regions.includes(region)) &&
        (profileId === undefined || model.profileIds.includes(profileId)) &&
        (key === undefined || model.key === key),
    )
    .map(({ key: own, shown, names }) => ({
      ...{ place, key: own, shown, names },
      ...{ vendor: shown.vendor, model: shown.model },
    }))
}

/** What lists show of these, in their order. */
export async function showModels(
  db: Queryable,
  organizationId: number,
  found: readonly Found[],
): Promise<CatalogueModel[]> {
  const stored = found.flatMap(({ place, key }) =>
    typeof place === 'number' ? [{ source_id: place, key }] : [],
  )
  const [shown, sources, origins] = await Promise.all([
    catalogueQueries.listShown(db, organizationId, stored),
    catalogueQueries.listSources(db, organizationId),
    typeQueries.listOrigins(db, organizationId),
  ])
  const types = new Map(origins.map(({ id, model_id }) => [model_id, id]))
  return found.flatMap(({ place, key, shown: known }) => {
    const id = `${place}.${key}`
    const one = known ?? shown.get(id)
    if (!one) return []
    const source = sourceOf(place, sources)
    const device_type = place === 'builtin' ? typeOfBuiltIn(key) : (types.get(id) ?? null)
    return [{ id, ...one, source, device_type }]
  })
}

function typeOfBuiltIn(key: string): number | null {
  return builtInModels.find((model) => model.key === key)?.typeId ?? null
}

export const builtInSource = { id: 'builtin', name: 'Built in', kind: 'built_in' } as const
export const folderSource = {
  id: 'folder',
  name: 'Folder of the operator',
  kind: 'folder',
} as const

function sourceOf(
  place: Place,
  sources: readonly catalogueQueries.StoredSource[],
): CatalogueModel['source'] {
  if (place === 'builtin') return builtInSource
  if (place === 'folder') return folderSource
  const source = sources.find(({ id }) => id === place)
  return { id: String(place), name: source?.name ?? '', kind: source?.kind ?? 'zip' }
}

/** One model, as `GET /device-catalogue/{model_id}` shows it; `entry` is undefined for a built-in one. */
export interface WholeModel {
  model: CatalogueModel
  entry: CatalogueEntry | undefined
  revision: string | null
}

export async function findModel(
  db: Queryable,
  organizationId: number,
  folder: FolderCatalogue,
  id: string,
): Promise<WholeModel | undefined> {
  const [, place = '', key = ''] = /^(builtin|folder|\d{1,15})\.(.+)$/.exec(id) ?? []
  const models = place === 'folder' ? await folder.list() : []
  const [found] = place
    ? await findAll(db, organizationId, models, { words: [], source: place, key })
    : []
  if (!found) return undefined
  const [model] = await showModels(db, organizationId, [found])
  if (!model) return undefined
  if (place === 'builtin') return { model, entry: undefined, revision: null }
  const stored =
    place === 'folder'
      ? await folder.find(key)
      : await catalogueQueries.findEntry(db, organizationId, { source: Number(place), key })
  return stored && { model, entry: stored.entry, revision: stored.revision }
}

import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { IndexedModel, ShownModel, SourceKind } from './catalogue-record.ts'
import type { CatalogueEntry } from './published/catalogue-entry.ts'

export interface StoredSource {
  id: number
  name: string
  kind: Extract<SourceKind, 'zip' | 'git'>
  url: string | null
  ref: string | null
  folder: string | null
  sealed_token: Buffer | null
  revision: string | null
  vendors: number
  models: number
  problems: string[]
  fetched_at: Moment | null
  error: string | null
}

const sourceColumns = `id, name, kind, url, ref, folder, sealed_token, revision, vendors, models, problems,
  fetched_at, error`

export function listSources(db: Queryable, organizationId: number): Promise<StoredSource[]> {
  return db.query(
    `select ${sourceColumns} from catalogue_sources where organization_id = $1 order by name, id`,
    [organizationId],
  )
}

export async function findSource(
  db: Queryable,
  organizationId: number,
  id: number,
  lock: '' | 'for update' = '',
): Promise<StoredSource | undefined> {
  const rows = await db.query<StoredSource>(
    `select ${sourceColumns} from catalogue_sources where organization_id = $1 and id = $2 ${lock}`,
    [organizationId, id],
  )
  return rows[0]
}

/** What is looked for; each member narrows it. */
export interface Search {
  /** In lower case. */
  words: readonly string[]
  vendor?: string | undefined
  region?: string | undefined
  /** The id of a source. */
  source?: number | undefined
  profileId?: string | undefined
  key?: string | undefined
}

/** A model that was found, with what lists are sorted by. */
export interface FoundModel {
  source_id: number
  key: string
  vendor: string
  model: string
  names: string
}

export function findModels(
  db: Queryable,
  organizationId: number,
  { words, vendor, region, source, profileId, key }: Search,
): Promise<FoundModel[]> {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return db.query(
    `select source_id, key, vendor, model, names from catalogue_models
     where organization_id = $1 and searched like all($2::text[])
       and ($3::text is null or vendor = $3) and ($4::text is null or $4 = any(regions))
       and ($5::bigint is null or source_id = $5) and ($6::text is null or $6 = any(profile_ids))
       and ($7::text is null or key = $7)`,
    [
      organizationId,
      patterns,
      vendor ?? null,
      region ?? null,
      source ?? null,
      profileId ?? null,
      key ?? null,
    ],
  )
}

/** What lists show of these models, by source and key. */
export async function listShown(
  db: Queryable,
  organizationId: number,
  models: readonly Pick<FoundModel, 'source_id' | 'key'>[],
): Promise<Map<string, ShownModel>> {
  if (models.length === 0) return new Map()
  const rows = await db.query<{ source_id: number; key: string; shown: ShownModel }>(
    `select source_id, key, shown from catalogue_models
     where organization_id = $1
       and (source_id, key) in (select * from unnest($2::bigint[], $3::text[]))`,
    [organizationId, models.map(({ source_id }) => source_id), models.map(({ key }) => key)],
  )
  return new Map(rows.map(({ source_id, key, shown }) => [`${source_id}.${key}`, shown]))
}

export async function findEntry(
  db: Queryable,
  organizationId: number,
  { source, key }: { source: number; key: string },
): Promise<{ entry: CatalogueEntry; shown: ShownModel; revision: string } | undefined> {
  const rows = await db.query<{ entry: CatalogueEntry; shown: ShownModel; revision: string }>(
    `select entry, shown, revision from catalogue_models
     where organization_id = $1 and source_id = $2 and key = $3`,
    [organizationId, source, key],
  )
  return rows[0]
}

/** Models whose values are sent in one statement: some megabytes. */
const modelsAtOnce = 100

/** Replaces the models of a source. */
export async function replaceModels(
  tx: Queryable,
  organizationId: number,
  sourceId: number,
  models: readonly (IndexedModel & { entry: CatalogueEntry })[],
): Promise<void> {
  await tx.query('delete from catalogue_models where organization_id = $1 and source_id = $2', [
    organizationId,
    sourceId,
  ])
  for (let at = 0; at < models.length; at += modelsAtOnce) {
    const rows = models.slice(at, at + modelsAtOnce).map((model) => ({
      key: model.key,
      vendor: model.shown.vendor,
      model: model.shown.model,
      names: model.names,
      searched: model.searched,
      regions: model.shown.regions,
      profile_ids: model.profileIds,
      shown: model.shown,
      entry: model.entry,
      revision: model.revision,
    }))
    await tx.query(
      `insert into catalogue_models (organization_id, source_id, key, vendor, model, names, searched,
         regions, profile_ids, shown, entry, revision)
       select $1, $2, key, vendor, model, names, searched, regions, profile_ids, shown, entry, revision
       from json_to_recordset($3::json) as sent(key text, vendor text, model text, names text,
         searched text, regions text[], profile_ids text[], shown jsonb, entry json, revision text)`,
      [organizationId, sourceId, JSON.stringify(rows)],
    )
  }
}

export interface SourceValues {
  name: string
  kind: StoredSource['kind']
  url: string | null
  ref: string | null
  folder: string | null
}

export async function insertSource(
  tx: Queryable,
  organizationId: number,
  { name, kind, url, ref, folder }: SourceValues,
  now: Date,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into catalogue_sources (organization_id, name, kind, url, ref, folder, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) returning id`,
    [organizationId, name, kind, url, ref, folder, now],
  )
  return rows[0]?.id ?? 0
}

export async function updateSource(
  tx: Queryable,
  organizationId: number,
  source: Pick<StoredSource, 'id' | 'name' | 'ref' | 'folder' | 'sealed_token'>,
  now: Date,
): Promise<void> {
  await tx.query(
    `update catalogue_sources set name = $3, ref = $4, folder = $5, sealed_token = $6, updated_at = $7
     where organization_id = $1 and id = $2`,
    [organizationId, source.id, source.name, source.ref, source.folder, source.sealed_token, now],
  )
}

/** Notes what was read of a source, or why it was not. */
export async function noteRead(
  tx: Queryable,
  organizationId: number,
  id: number,
  read: Partial<Pick<StoredSource, 'revision' | 'models' | 'vendors' | 'problems' | 'error'>>,
  now: Date,
): Promise<void> {
  const { revision = null, models = null, vendors = null, problems, error = null } = read
  await tx.query(
    `update catalogue_sources set revision = coalesce($3, revision), models = coalesce($4, models),
       vendors = coalesce($5, vendors), problems = coalesce($6, problems), error = $7,
       fetched_at = case when $7::text is null then $8 else fetched_at end
     where organization_id = $1 and id = $2`,
    [
      ...[organizationId, id, revision, models, vendors],
      ...[problems ? JSON.stringify(problems) : null, error, now],
    ],
  )
}

export async function removeSource(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from catalogue_sources where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}

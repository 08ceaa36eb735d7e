import { createHash } from 'node:crypto'
import type { CoreServices } from '../../core-services.ts'
import { fetchRepository } from './archives/fetch-repository.ts'
import { CatalogueFault, createCollector } from './archives/file-collector.ts'
import { readZip } from './archives/read-zip.ts'
import * as catalogueQueries from './catalogue-queries.ts'
import { toIndexed } from './catalogue-record.ts'
import type { FileTree } from './published/catalogue-entry.ts'
import { readCatalogue } from './published/read-catalogue.ts'

export interface Given {
  archive?: string | null | undefined
  token?: string | undefined
  /** The revision that is known already. */
  known?: string | null
}

export interface ReadSource {
  revision: string
  /** Undefined where nothing is new. */
  models: Parameters<typeof catalogueQueries.replaceModels>[3] | undefined
  problems: string[]
}

/** @throws CatalogueFault */
export async function readSource(
  { outside }: Pick<CoreServices, 'outside'>,
  { kind, url: address, ref: wanted, folder: only }: catalogueQueries.SourceValues,
  { archive: sent, token: secret, known }: Given,
): Promise<ReadSource> {
  const { revision, tree } =
    kind === 'git'
      ? await fetchRepository(
          { url: address ?? '', ref: wanted, folder: only, token: secret },
          outside,
          known,
        )
      : openArchive(Buffer.from(sent ?? '', 'base64'), only)
  if (!tree) return { revision, models: undefined, problems: [] }
  const { entries, problems } = await readCatalogue(tree)
  if (entries.length === 0) {
    throw new CatalogueFault(
      problems[0] ?? 'It has no models in a layout that is known: see docs/catalogue.md.',
    )
  }
  return { revision, models: entries.map((entry) => ({ ...toIndexed(entry), entry })), problems }
}

function openArchive(bytes: Buffer, only: string | null): { revision: string; tree: FileTree } {
  const collector = createCollector(only, { hasRoot: false })
  readZip(bytes, collector)
  return {
    revision: createHash('sha256').update(bytes).digest('hex').slice(0, 40),
    tree: collector.toTree(),
  }
}

/** Puts what was read in the place of what was known. */
export async function storeSource(
  tx: Parameters<typeof catalogueQueries.replaceModels>[0],
  organizationId: number,
  id: number,
  { revision, models, problems }: ReadSource,
  now: Date,
): Promise<void> {
  if (!models) return catalogueQueries.noteRead(tx, organizationId, id, { revision }, now)
  await catalogueQueries.replaceModels(tx, organizationId, id, models)
  const vendors = new Set(models.map(({ shown }) => shown.vendor)).size
  const read = { revision, problems, models: models.length, vendors }
  await catalogueQueries.noteRead(tx, organizationId, id, read, now)
}

import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CoreServices } from '../../core-services.ts'
import { type IndexedModel, toIndexed } from './catalogue-record.ts'
import type { CatalogueEntry, FileTree } from './published/catalogue-entry.ts'
import { longestFile, mostFiles } from './published/limits.ts'
import { isCatalogueFile, readCatalogue } from './published/read-catalogue.ts'

/** The operator's folder of catalogues (CATALOGUE_DIR), which all organizations may choose from. */
export interface FolderCatalogue {
  /** Undefined where the operator has set none. */
  path: string | undefined
  list(): Promise<readonly IndexedModel[]>
  find(key: string): Promise<{ entry: CatalogueEntry; revision: string } | undefined>
  /** Reads it again. */
  refresh(): Promise<void>
  state(): { models: number; vendors: number; problems: string[]; readAt: Date | undefined }
}

export interface CatalogueServices extends CoreServices {
  catalogueFolder: FolderCatalogue
}

/** Milliseconds after which a request makes it be read again, in the background. */
const lifetime = 10 * 60_000

interface Read {
  models: readonly IndexedModel[]
  entries: ReadonlyMap<string, CatalogueEntry>
  problems: string[]
  at: Date
}

export function createFolderCatalogue(path: string | undefined, now: () => Date): FolderCatalogue {
  let read: Read | undefined
  let reading: Promise<void> | undefined
  async function readAgain(): Promise<void> {
    if (path === undefined) return
    const { tree, problems } = await openFolder(path)
    const found = await readCatalogue(tree)
    read = {
      models: found.entries.map(toIndexed),
      entries: new Map(found.entries.map((entry) => [entry.key, entry])),
      problems: [...problems, ...found.problems],
      at: now(),
    }
  }
  function refresh(): Promise<void> {
    reading ??= readAgain().finally(() => {
      reading = undefined
    })
    return reading
  }
  async function current(): Promise<Read | undefined> {
    if (path === undefined) return undefined
    if (!read) await refresh()
    else if (now().getTime() - read.at.getTime() > lifetime) void refresh().catch(() => {})
    return read
  }
  return {
    path,
    refresh,
    list: async () => (await current())?.models ?? [],
    async find(key) {
      const known = await current()
      const entry = known?.entries.get(key)
      const model = known?.models.find((one) => one.key === key)
      return entry && model && { entry, revision: model.revision }
    },
    state: () => ({
      models: read?.models.length ?? 0,
      vendors: new Set(read?.models.map(({ shown }) => shown.vendor)).size,
      problems: read?.problems ?? [],
      readAt: read?.at,
    }),
  }
}

/** Links are not followed, so that nothing outside of the folder is read. */
async function openFolder(root: string): Promise<{ tree: FileTree; problems: string[] }> {
  const paths: string[] = []
  const problems: string[] = []
  const walk = async (folder: string): Promise<void> => {
    const found = await readdir(join(root, folder), { withFileTypes: true }).catch(() => undefined)
    if (!found) problems.push(`The folder ${folder || '.'} cannot be read.`)
    for (const one of found ?? []) {
      const path = folder ? `${folder}/${one.name}` : one.name
      if (one.isDirectory() && !one.name.startsWith('.') && one.name !== 'node_modules') {
        await walk(path)
      } else if (one.isFile() && isCatalogueFile(path)) {
        if (paths.length < mostFiles) paths.push(path)
        else if (paths.length === mostFiles) {
          problems.push(`Only the first ${mostFiles} files are read.`)
          return
        }
      }
    }
  }
  await walk('')
  const known = new Set(paths)
  const read = async (path: string) => {
    if (!known.has(path)) return undefined
    return readSmallFile(join(root, path))
  }
  return { tree: { paths, read }, problems }
}

async function readSmallFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await lstat(path)
    if (size > longestFile) return undefined
    await using file = await open(path, 'r')
    return await file.readFile('utf8')
  } catch {
    return undefined
  }
}

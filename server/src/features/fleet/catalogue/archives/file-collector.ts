import type { FileTree } from '../published/catalogue-entry.ts'
import { longestFile, mostFiles, mostText } from '../published/limits.ts'
import { isCatalogueFile } from '../published/read-catalogue.ts'

/** What is wrong with an archive or a repository, in a sentence for the person who named it. */
export class CatalogueFault extends Error {
  override name = 'CatalogueFault'
}

/** Gathers the files of an archive, and refuses what no catalogue has. */
export interface FileCollector {
  /**
   * Whether the file is wanted.
   * @throws CatalogueFault for a path that leads out of the archive, a link, or too many files.
   */
  wants(entry: { path: string; size: number; isLink: boolean }): boolean
  add(path: string, bytes: Buffer): void
  toTree(): FileTree
}

/** `folder`: only what is below it, counted from the top of the repository. */
export function createCollector(
  folder: string | null,
  { hasRoot }: { hasRoot: boolean },
): FileCollector {
  const files = new Map<string, string>()
  let seen = 0
  let length = 0
  const prefix = folder ? `${folder.replace(/^\/+|\/+$/g, '')}/` : ''
  // Archives of repositories have all files in one folder, which is named for the commit.
  const toOwn = (path: string) => (hasRoot ? path.replace(/^[^/]*\//, '') : path)
  return {
    wants({ path, size, isLink }) {
      seen += 1
      if (seen > mostFiles) throw new CatalogueFault(`It has more than ${mostFiles} files.`)
      if (leadsOut(path)) {
        throw new CatalogueFault(`It has a path that leads out of it: ${path.slice(0, 120)}.`)
      }
      if (!isCatalogueFile(path) || !toOwn(path).startsWith(prefix)) return false
      if (isLink) throw new CatalogueFault(`${path.slice(0, 200)} is a link to another file.`)
      return size <= longestFile
    },
    add(path, bytes) {
      length += bytes.length
      if (length > mostText) {
        throw new CatalogueFault(`Its files have more than ${mostText / 1024 / 1024} MB unpacked.`)
      }
      files.set(toOwn(path), bytes.toString('utf8'))
    },
    toTree: () => ({ paths: [...files.keys()], read: async (path) => files.get(path) }),
  }
}

function leadsOut(path: string): boolean {
  return /(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:|\0/.test(path)
}

import { setImmediate } from 'node:timers/promises'
import { longestSource } from '../../../../sensors/codecs/codec.ts'
import type { CatalogueEntry, FileTree, ReadCatalogue } from './catalogue-entry.ts'
import * as chirpStack from './chirpstack-layout.ts'
import * as thingsNetwork from './things-network-layout.ts'

/** What one catalogue may hold. */
export const mostModels = 5000
const mostProblems = 200

/** The kinds of files that catalogues are made of; pictures and the rest are never read. */
export function isCatalogueFile(path: string): boolean {
  return /\.(toml|ya?ml|js|json)$/.test(path)
}

/**
 * Reads all models of a tree of files, whichever of the two layouts they have, at any depth. A model that
 * cannot be read is told and left out.
 */
export async function readCatalogue(tree: FileTree): Promise<ReadCatalogue> {
  const entries = new Map<string, CatalogueEntry>()
  const problems: string[] = []
  const tell = (error: unknown) => {
    if (problems.length < mostProblems) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  for (const layout of [chirpStack, thingsNetwork]) {
    for (const folder of layout.listVendorFolders(tree)) {
      const devices = await layout.listDevices(tree, folder).catch((error: unknown) => {
        tell(error)
        return []
      })
      for (const { path, read } of devices) {
        if (entries.size >= mostModels) {
          tell(new Error(`Only the first ${mostModels} models are read.`))
          return { entries: [...entries.values()], problems }
        }
        // Other requests go on between two models.
        await setImmediate()
        try {
          const entry = await read()
          refuseLongCodecs(path, entry)
          // Two catalogues in one folder may have the same model: the first counts.
          if (!entries.has(entry.key)) entries.set(entry.key, entry)
        } catch (error) {
          tell(error)
        }
      }
    }
  }
  return { entries: [...entries.values()], problems }
}

function refuseLongCodecs(path: string, { codecs }: CatalogueEntry): void {
  for (const { source } of Object.values(codecs)) {
    if (Buffer.byteLength(source) <= longestSource) continue
    throw new Error(`${path} has a codec of more than ${longestSource} bytes.`)
  }
}

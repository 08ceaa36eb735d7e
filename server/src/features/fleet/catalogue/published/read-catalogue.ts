import { setImmediate } from 'node:timers/promises'
import { longestSource } from '../../../../sensors/codecs/codec.ts'
import type { CatalogueEntry, FileTree, ReadCatalogue } from './catalogue-entry.ts'
import * as chirpStack from './chirpstack-layout.ts'
import * as thingsNetwork from './things-network-layout.ts'

/** What one catalogue may hold. */
export const mostModels = 5000
const mostProblems = 200
/** Bytes of one model with its codecs, and of all: each model keeps its codecs. */
const longestModel = 1024 * 1024
const longestCatalogue = 128 * 1024 * 1024
/** Milliseconds. */
const longestReading = 60_000

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
  const all = () => ({ entries: [...entries.values()], problems })
  const end = performance.now() + longestReading
  let size = 0
  for (const layout of [chirpStack, thingsNetwork]) {
    for (const folder of layout.listVendorFolders(tree)) {
      // Other requests go on between two vendors and two models.
      await setImmediate()
      const devices = await layout.listDevices(tree, folder).catch((error: unknown) => {
        tell(error)
        return []
      })
      for (const { path, read } of devices) {
        const isFull = entries.size >= mostModels || size > longestCatalogue
        if (isFull || performance.now() > end) {
          tell(new Error(`Only the first ${entries.size} models are read: there are too many.`))
          return all()
        }
        await setImmediate()
        try {
          const entry = await read()
          size += checkEntry(path, entry)
          // Two catalogues in one folder may have the same model: the first counts.
          if (!entries.has(entry.key)) entries.set(entry.key, entry)
        } catch (error) {
          tell(error)
        }
      }
    }
  }
  return all()
}

/** Returns the bytes of an entry that can be stored. */
function checkEntry(path: string, entry: CatalogueEntry): number {
  for (const { source } of Object.values(entry.codecs)) {
    if (Buffer.byteLength(source) <= longestSource) continue
    throw new Error(`${path} has a codec of more than ${longestSource} bytes.`)
  }
  const text = JSON.stringify(entry)
  const size = Buffer.byteLength(text)
  if (size > longestModel) throw new Error(`${path} has more than 1 MB with its codecs.`)
  // Of halves of characters JSON has the escape, of whole ones not.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(text)) {
    throw new Error(`${path} has a character that cannot be stored.`)
  }
  return size
}

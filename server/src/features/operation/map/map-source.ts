import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable } from '../../../db/connect.ts'
import type { CoreServices } from '../../core-services.ts'
import { type ChosenMap, find } from './map-queries.ts'
import { type MapTiles, openStreetMap, ownFileUrl } from './tiles.ts'

/** What the process is started with. */
export interface MapStart {
  /** From the settings of the process, which win. */
  tiles?: MapTiles | undefined
  /** Where the PMTiles files are that an administrator may choose. */
  directory?: string | undefined
}

/** The map of the service: the same for everybody, since it is part of the policy of each page. */
export interface MapSource {
  /** What the process was started with. */
  fixed: MapTiles | undefined
  /** Where the streets come from now; undefined for the outline. */
  read(): Promise<MapTiles | undefined>
  listFiles(): Promise<string[]>
}

export interface MapServices extends CoreServices {
  map: MapSource
}

/** Milliseconds that a page waits for the database: then what was known last holds. */
const patience = 1000
const mostFiles = 100

export function createMapSource(
  db: Queryable,
  { tiles: fixed, directory = '' }: MapStart = {},
): MapSource {
  let known: MapTiles | undefined
  let reading: Promise<unknown> | undefined
  const refresh = async () => {
    known = toTiles(await find(db), directory)
  }
  return {
    fixed,
    async read() {
      if (fixed) return fixed
      // Pages that are asked for at once share one look.
      reading ??= refresh()
        .catch(() => {})
        .finally(() => {
          reading = undefined
        })
      await Promise.race([reading, wait(patience, undefined, { ref: false })])
      return known
    },
    async listFiles() {
      const names = directory === '' ? [] : await readdir(directory).catch(() => [])
      const archives = names.filter((name) => name.endsWith('.pmtiles'))
      return archives.sort().slice(0, mostFiles)
    },
  }
}

function toTiles(chosen: ChosenMap | undefined, directory: string): MapTiles | undefined {
  if (!chosen || chosen.kind === 'outline') return undefined
  const { url, file, attribution } = chosen
  if (url !== null) return { url, attribution }
  if (file !== null) return { url: ownFileUrl, attribution, file: join(directory, file) }
  return openStreetMap
}

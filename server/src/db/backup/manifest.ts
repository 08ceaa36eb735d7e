import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/*
 * A backup is a directory: `manifest.json`, and for each table `<table>.copy.gz`, what
 * `COPY <table> TO STDOUT` sends (PostgreSQL manual, COPY, "Text Format": one line a row), through
 * gzip. The manifest is written last: a directory without it is no whole backup.
 */

export const manifestName = 'manifest.json'

const backedUpTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** As `count(*)` gave it, equal to the lines of the file. */
  rows: z.int().min(0),
  /** SHA-256 of the file before gzip, hexadecimal. */
  sha256: z.string(),
})

const manifest = z.object({
  format: z.literal('lora-fleet-console backup 1'),
  /** ISO 8601 in UTC: all tables as they were at this moment. */
  takenAt: z.string(),
  /** The migrations that the database had run, in their order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(backedUpTable),
  /** The number that each sequence gave last; null when it gave none. */
  sequences: z.array(z.object({ name: z.string(), last: z.int().nullable() })),
})

export type Manifest = z.infer<typeof manifest>
export type BackedUpTable = z.infer<typeof backedUpTable>

export const format = 'lora-fleet-console backup 1'

export function fileOf(directory: string, table: string): string {
  return join(directory, `${table}.copy.gz`)
}

/** @throws Error for a person to read when there is no whole backup in the directory. */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, manifestName)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${directory} holds no whole backup: ${manifestName} is not there.`)
  })
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new Error(`${path} is not the manifest of a backup that this version can read.`)
  }
}

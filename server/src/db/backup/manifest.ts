import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/*
 * A backup is a directory with `manifest.json` and, for each table, `<table>.copy.gz`: the gzipped
 * output of `COPY <table> TO STDOUT` (PostgreSQL manual, COPY, "Text Format": one line per row). The
 * manifest is written last, so a directory without it is incomplete.
 */

export const manifestName = 'manifest.json'

const backedUpTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** From `count(*)`; equal to the lines of the file. */
  rows: z.int().min(0),
  /** SHA-256 of the file before gzip, hexadecimal. */
  sha256: z.string(),
})

const manifest = z.object({
  format: z.literal('lora-fleet-console backup 1'),
  /** ISO 8601 in UTC: all tables as they were at this moment. */
  takenAt: z.string(),
  /** The applied migrations, in their order. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Ids of the keys that sealed its secrets, hexadecimal; backups of older versions tell none. */
  keys: z.array(z.string()).default([]),
  tables: z.array(backedUpTable),
  /** The last number of each sequence; null when it gave none. */
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

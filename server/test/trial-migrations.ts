import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../src/db/connect.ts'
import { createTestDatabase } from './database.ts'

/** Where migrations are tried: a schema of their own, apart from those of this program. */
export interface Trial {
  /** Connections whose tables are those of the schema. */
  db: Database
  url: string
  /** Empties the schema. */
  reset(): Promise<void>
  /** A new folder with these files. */
  writeFolder(contents: Record<string, string>): string
  drop(): Promise<void>
}

export async function prepareTrial(): Promise<Trial> {
  const testDatabase = await createTestDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'migrations-test-'))
  const address = new URL(testDatabase.url)
  address.searchParams.set('options', '-c search_path=trial')
  const url = address.href
  const db = connect(url)
  return {
    ...{ db, url },
    async reset() {
      await db.query('drop schema if exists trial cascade')
      await db.query('create schema trial')
    },
    writeFolder(contents) {
      const folder = mkdtempSync(join(directory, 'folder-'))
      for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text)
      return folder
    },
    async drop() {
      rmSync(directory, { recursive: true })
      await db.close()
      await testDatabase.drop()
    },
  }
}

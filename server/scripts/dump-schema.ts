/**
 * `npm run schema` writes `schema.sql` anew from the migrations; with `--check` it only compares,
 * and exits with 1 when the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globalSetup, globalTeardown } from '../test/cluster.ts'
import { createTestDatabase } from '../test/database.ts'
import { dumpSchema } from './schema-dump.ts'

const path = join(import.meta.dirname, '../src/db/schema.sql')

async function dumpMigrated(): Promise<string> {
  await globalSetup()
  try {
    const { db, drop } = await createTestDatabase()
    try {
      return await dumpSchema(db)
    } finally {
      await drop()
    }
  } finally {
    await globalTeardown()
  }
}

function readCommitted(): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  } catch {
    return ''
  }
}

const dump = await dumpMigrated()
if (!process.argv.includes('--check')) {
  writeFileSync(path, dump)
} else if (dump !== readCommitted()) {
  console.error(`${path} does not match the migrations: run "npm run schema" and commit the file.`)
  process.exitCode = 1
}

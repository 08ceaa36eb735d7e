import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './setup-error.ts'

/** The migrations of this program. */
export const migrationsDirectory = join(import.meta.dirname, 'migrations')

/** The first line of a file that runs outside a transaction. */
const outsideMark = '-- outside a transaction'
/** The line above a statement that runs again and again, until it returns no row. */
const batchesMark = /^--\s*in batches$/m

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
  /** The statements of a file that runs outside a transaction; undefined for all others. */
  readonly statements: readonly Statement[] | undefined
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** One statement of a file that runs outside a transaction. */
export interface Statement {
  readonly text: string
  /** The line of the file in which the statement begins. */
  readonly line: number
  /**
   * `once` runs in a transaction; `batches` runs again and again, each time in a transaction;
   * `build` and `drop` are of an index, concurrently, which no transaction may hold.
   */
  readonly kind: 'once' | 'batches' | 'build' | 'drop'
  /** The index that is built; empty for other kinds. */
  readonly index: string
}

/** The migrations of a folder in order; throws when names are not numbered 1, 2, 3, ... */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
    if (number !== index + 1) {
      const expected = String(index + 1).padStart(4, '0')
      throw new Error(
        `Migration ${name}: the next file must be called ${expected}-what-it-does.sql.`,
      )
    }
    // A checkout on Windows may have CRLF.
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    const isOutside = text.split('\n', 1)[0]?.trimEnd() === outsideMark
    const statements = isOutside ? readStatements(name, text) : undefined
    const checksum = createHash('sha256').update(text).digest('hex')
    return { number, name, text, checksum, statements }
  })
}

/** What a semicolon does not end: texts, names and comments. Nested comments are not known. */
const token = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;/g
const comment = /--[^\n]*|\/\*[\s\S]*?\*\//g
/** Blanks and comments before the first word of a statement. */
const blanks = /^(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)*/

function readStatements(name: string, text: string): Statement[] {
  return splitStatements(text).map(({ text: part, lead, bare, line }) => {
    return { text: part, line, ...findKind(`Migration ${name}, line ${line}`, lead, bare) }
  })
}

/** A statement as a file has it. */
interface Part {
  text: string
  /** Where it begins in the file. */
  begin: number
  line: number
  /** Blanks and comments before its first word. */
  lead: string
  /** Without comments. */
  bare: string
}

/** The statements of a file, in order. */
function splitStatements(text: string): Part[] {
  const parts: Part[] = []
  const take = (begin: number, end: number) => {
    const part = text.slice(begin, end)
    const lead = blanks.exec(part)?.[0] ?? ''
    const bare = part.slice(lead.length).replaceAll(comment, '').trim()
    if (bare === '') return
    const line = text.slice(0, begin + lead.length).split('\n').length
    parts.push({ text: part, begin, line, lead, bare })
  }
  let begin = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found !== ';') continue
    take(begin, index)
    begin = index + 1
  }
  take(begin, text.length)
  return parts
}

/**
 * Citus sends the whole text of a change of a distributed table to its machines, which take one
 * statement. Blanks keep the place that an error names.
 */
export function splitInPlace(file: string): string[] {
  return splitStatements(file).map(({ text, begin }) => ' '.repeat(begin) + text)
}

const build =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w.]+)\s+on\s/i
const drop = /^drop\s+index\s+concurrently\s+if\s+exists\s/i
const endsTransaction = /^(begin|start\s+transaction|commit|end|rollback|abort)\b/i

function findKind(where: string, lead: string, bare: string): Pick<Statement, 'kind' | 'index'> {
  if (endsTransaction.test(bare)) {
    throw new Error(`${where}: each statement has a transaction of its own, so take this out.`)
  }
  const index = build.exec(bare)?.[1]
  if (index !== undefined) return { kind: 'build', index }
  if (drop.test(bare)) return { kind: 'drop', index: '' }
  if (/^\w+(\s+\w+)*\s+concurrently\b/i.test(bare)) {
    throw new Error(
      `${where}: only "create index concurrently NAME on" and "drop index concurrently if exists"` +
        ' can run again after a crash.',
    )
  }
  return { kind: batchesMark.test(lead) ? 'batches' : 'once', index: '' }
}

/** @throws when the database has run other migrations than those of this program. */
export function checkApplied(applied: AppliedMigration[], migrations: Migration[]): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (!migration) {
      throw new SetupError(
        `The database is newer than this program: it has migration ${name}, and the last one here` +
          ` is ${migrations.at(-1)?.name ?? 'none'}. Start the newer version again.`,
      )
    }
    if (name !== migration.name) {
      throw new SetupError(
        `The database was made by a version that this one can't upgrade: its migration ${number} is` +
          ` ${name}, not ${migration.name}. Start with a new database: set DATA_DIR to a new` +
          ' directory, or DATABASE_URL to an empty database.',
      )
    }
    if (number !== migration.number || checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.name} is not the one that the database has run (${name}). Restore` +
          ' the file, and put the change into a new migration.',
      )
    }
  }
}

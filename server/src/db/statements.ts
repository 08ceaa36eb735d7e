import pg from 'pg'

/**
 * The server keeps every prepared statement in memory, once per connection. Statements past this
 * bound run unnamed and are parsed every time, so that a text that varies by mistake does not fill
 * the memory.
 */
const maximumNames = 1000

const names = new Map<string, string>()

/** The name of a statement, the same for the life of the process; undefined past the bound. */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maximumNames) return known
  const name = `s${names.size + 1}`
  names.set(text, name)
  return name
}

const { builtins } = pg.types

/** Array types, which pg-types does not name (PostgreSQL src/include/catalog/pg_type.dat). */
const textArrayType: number = 1009
const bigintArrayType = 1016
const timeArrayTypes = [1115, 1182, 1185]

type Parse = (text: string) => unknown

const parseTextArray: (text: string) => unknown[] = pg.types.getTypeParser(textArrayType, 'text')

/** Refuses what a number can't hold exactly: a wrong id is worse than an error. */
function parseBigint(text: unknown): number | null {
  if (text === null) return null
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`The bigint ${text} does not fit a number: select it as text.`)
}

function keepText(text: string): string {
  return text
}

const parsers = new Map<number, Parse>([
  [builtins.INT8, parseBigint],
  [bigintArrayType, (text) => parseTextArray(text).map(parseBigint)],
  [builtins.TIMESTAMPTZ, keepText],
  [builtins.TIMESTAMP, keepText],
  [builtins.DATE, keepText],
  ...timeArrayTypes.map((oid): [number, Parse] => [oid, parseTextArray]),
])

/** How values of the database become values of the program, see `Queryable.query`. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: string) {
    const own = format === 'binary' ? undefined : parsers.get(oid)
    return own ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text')
  },
}

/** `{1,NULL,2}` (PostgreSQL, "Array Input and Output Syntax"). */
export function numberArray(values: readonly (number | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

/** Of control characters and of halves of surrogate pairs, or what looks like one. */
const otherEscape = /\\[bfnrtu]/

/**
 * `{"a \\"b\\"",NULL}`: quoted, with quotes and backslashes escaped. JSON does the same at a fraction
 * of the cost, where it escapes nothing else.
 */
export function textArray(values: readonly (string | null | undefined)[]): string {
  const json = JSON.stringify(values)
  if (otherEscape.test(json)) return `{${values.map(quote).join()}}`
  return `{${json.slice(1, -1)}}`
}

/**
 * A text with half a surrogate pair has no UTF-8. NUL is sent in its place, so that PostgreSQL refuses
 * it (SQLSTATE 22021) instead of storing another text.
 */
function orRefused(text: string): string {
  return text.isWellFormed() ? text : '\u0000'
}

function quote(given: string | null | undefined): string {
  if (given === null || given === undefined) return 'NULL'
  const text = orRefused(given)
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return escaped.includes('"') ? `"${escaped.replaceAll('"', '\\"')}"` : `"${escaped}"`
}

/**
 * The array of a column for `unnest`. One in which no row has a value is empty: `unnest` fills the shorter
 * of its arrays with null.
 */
function columnOf<Row, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value | undefined,
  write: (values: (Value | undefined)[]) => string,
): string {
  const values = rows.map(read)
  return values.every((value) => value === undefined) ? '{}' : write(values)
}

type Value = number | string | null | undefined

/** A column of rows that are written together. */
export interface IncomingColumn<Row> {
  name: string
  /** Of the array in which it is sent. */
  type: string
  read(row: Row): Value
  /** Its type in the table, where that is another. */
  cast?: string
}

const numeric = new Set(['smallint', 'integer', 'bigint', 'double precision'])

/**
 * SQL: the rows, as `incoming`, from parameters of which the first has this number. Each column travels
 * as one array in the notation of PostgreSQL, written here. Measured cheaper for both sides than JSON,
 * which the server parses again for every row, and than arrays written by the driver.
 */
export function incoming<Row>(columns: readonly IncomingColumn<Row>[], first = 1): string {
  const arrays = columns.map(({ type }, place) => `$${first + place}::${type}[]`)
  return `unnest(${arrays.join()}) as incoming (${columns.map(({ name }) => name).join()})`
}

/** SQL: the names of the columns, and their values from `incoming`. */
export function namesOf<Row>(columns: readonly IncomingColumn<Row>[]): string {
  return columns.map(({ name }) => name).join()
}

export function valuesOf<Row>(columns: readonly IncomingColumn<Row>[]): string {
  return columns.map(({ name, cast }) => (cast ? `${name}::${cast}` : name)).join()
}

/** SQL: the values of so many rows, each a parameter: `($1::bigint, ...), ...`. */
export function placesOf<Row>(columns: readonly IncomingColumn<Row>[], rows: number): string {
  return Array.from({ length: rows }, (_, row) => {
    const places = columns.map(({ type, cast }, column) => {
      const place = `$${row * columns.length + column + 1}::${type}`
      return cast ? `${place}::${cast}` : place
    })
    return `(${places.join()})`
  }).join()
}

/** The values of their parameters. A text that has no UTF-8 is refused, as in an array. */
export function valuesAt<Row>(
  columns: readonly IncomingColumn<Row>[],
  rows: readonly Row[],
): Value[] {
  const values = rows.flatMap((row) => columns.map(({ read }) => read(row)))
  return values.map((value) => (typeof value === 'string' ? orRefused(value) : value))
}

/** The values of the parameters. */
export function arraysOf<Row>(
  columns: readonly IncomingColumn<Row>[],
  rows: readonly Row[],
): string[] {
  return columns.map(({ type, read }) => {
    const write = (values: Value[]) =>
      numeric.has(type) ? numberArray(values as number[]) : textArray(values as string[])
    return columnOf(rows, (row) => read(row) ?? undefined, write)
  })
}

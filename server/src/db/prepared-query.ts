import pg from 'pg'
import { typeParsers } from './statements.ts'

/*
 * The driver's query has PostgreSQL describe the columns at each run, and looks up how each is read.
 * Here a connection describes a prepared statement once: PostgreSQL refuses to run it when its columns
 * have changed (`isStalePlan`). A page of ten uplinks with 27 columns takes a third less to read.
 */

/** How the columns of a statement are read. */
interface Shape {
  names: readonly string[]
  parsers: readonly ((text: string) => unknown)[]
  /** A row whose values are null: a copy of it costs less than a row made member by member. */
  empty: Readonly<Record<string, null>>
}

/** The parts of the driver's connection that its types leave out. */
interface Connection {
  describe(message: object): void
}

interface Description {
  fields: readonly { name: string; dataTypeID: number }[]
}

/** A query as the driver's client calls it (pg/lib/query.js), with what it needs while it runs. */
interface PreparedQuery {
  name: string
  text: string
  values: readonly unknown[]
  callback(error: Error | null, rows?: unknown[]): void
  found: unknown[]
  shape: Shape | undefined
  shapes: Map<string, Shape> | undefined
  fault: unknown
}

const noColumns: Shape = { names: [], parsers: [], empty: {} }

/** The statements that each connection has described, by name. */
const described = new WeakMap<Connection, Map<string, Shape>>()

/** For each connection, itself without the message that asks for a description. */
const silent = new WeakMap<Connection, Connection>()

const methods = {
  __proto__: pg.Query.prototype,

  prepare(this: PreparedQuery, connection: Connection): void {
    const shapes = memberOf(described, connection, () => new Map<string, Shape>())
    this.shapes = shapes
    this.shape = shapes.get(this.name)
    const asked =
      this.shape === undefined ? connection : memberOf(silent, connection, withoutDescription)
    prepareOfDriver.call(this, asked)
  },

  handleRowDescription(this: PreparedQuery, { fields }: Description): void {
    this.shape = shapeOf(fields)
    this.shapes?.set(this.name, this.shape)
  },

  handleDataRow(this: PreparedQuery, { fields }: { fields: (string | null)[] }): void {
    if (this.fault !== undefined) return
    try {
      this.found.push(readRow(this.shape ?? noColumns, fields))
    } catch (error) {
      // Thrown when the answer is over: until then the connection is not free.
      this.fault = error
    }
  },

  handleCommandComplete(this: PreparedQuery): void {
    if (this.shape === undefined) this.shapes?.set(this.name, noColumns)
  },

  handleReadyForQuery(this: PreparedQuery): void {
    if (this.fault === undefined) this.callback(null, this.found)
    else this.callback(this.fault as Error)
  },
}

const { prepare: prepareOfDriver } = pg.Query.prototype as unknown as {
  prepare(this: PreparedQuery, connection: Connection): void
}

/** Runs the statement, which is prepared under its name at its first run on the connection. */
export function runNamed<Row>(
  client: pg.PoolClient,
  { name, text }: { name: string; text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = {
      __proto__: methods,
      name,
      text,
      values,
      callback: (error: Error | null, rows: Row[] = []) => (error ? reject(error) : resolve(rows)),
      found: [],
      shape: undefined,
      shapes: undefined,
      fault: undefined,
    }
    client.query(query as unknown as pg.Submittable)
  })
}

function shapeOf(fields: Description['fields']): Shape {
  const names = fields.map(({ name }) => name)
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID)),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  }
}

function readRow({ names, parsers, empty }: Shape, fields: (string | null)[]): unknown {
  const row: Record<string, unknown> = { ...empty }
  for (let place = 0; place < fields.length; place += 1) {
    const text = fields[place] ?? null
    if (text !== null) row[names[place] ?? ''] = parsers[place]?.(text)
  }
  return row
}

function withoutDescription(connection: Connection): Connection {
  return { __proto__: connection, describe() {} } as unknown as Connection
}

function memberOf<Key extends object, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  map.set(key, made)
  return made
}

import type { Queryable } from '../connect.ts'
import { distributedTables, referenceTables } from './tables.ts'

const allTables = [...referenceTables, ...distributedTables]

/**
 * Distributes the tables of a migrated database over the machines of its Citus cluster. What is done
 * already is left as it is, so this can be repeated. Tables that a later migration makes are left out.
 * @returns the tables that were distributed now.
 */
export async function distribute(tx: Queryable): Promise<string[]> {
  const waiting = await findWaiting(tx)
  await dropKeysOfCoordinator(tx)
  if (waiting.length === 0) return []
  // Foreign keys to tables of which each machine has a copy need it.
  await tx.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
  const references = await readReferences(tx, waiting)
  for (const { source, name } of references) {
    await tx.query(`alter table ${source} drop constraint ${name}`)
  }
  for (const table of waiting) {
    if (distributedTables.includes(table)) await shortenKeys(tx, table)
    await freeIdentity(tx, table)
    await spread(tx, table)
  }
  for (const { source, name, definition, isWithin } of references) {
    if (isWithin) await tx.query(`alter table ${source} add constraint ${name} ${definition}`)
  }
  return waiting
}

async function spread(tx: Queryable, table: string): Promise<void> {
  if (referenceTables.includes(table)) {
    await tx.query('select create_reference_table($1)', [table])
    return
  }
  const [first] = distributedTables
  await tx.query(`select create_distributed_table($1, 'organization_id', colocate_with => $2)`, [
    table,
    table === first ? 'none' : first,
  ])
}

async function findWaiting(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select given.name from unnest($1::text[]) with ordinality as given (name, place)
     where to_regclass(given.name) is not null and not exists (
       select from pg_dist_partition where logicalrelid = to_regclass(given.name)
     )
     order by given.place`,
    [allTables],
  )
  return rows.map(({ name }) => name)
}

/** No machine can check what tables of the coordinator refer to elsewhere. */
async function dropKeysOfCoordinator(tx: Queryable): Promise<void> {
  const keys = await tx.query<{ source: string; name: string }>(
    `select conrelid::regclass::text as source, quote_ident(conname) as name
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and conrelid::regclass::text <> all($1) and confrelid::regclass::text = any($1)
       and connamespace = current_schema()::regnamespace
     order by 1, 2`,
    [allTables],
  )
  for (const { source, name } of keys) {
    await tx.query(`alter table ${source} drop constraint ${name}`)
  }
}

interface Reference {
  source: string
  name: string
  definition: string
  /** Whether it can hold: each machine has what it refers to. */
  isWithin: boolean
}

/** Foreign keys from and to tables that are about to be distributed. */
function readReferences(tx: Queryable, tables: readonly string[]): Promise<Reference[]> {
  return tx.query<Reference>(
    `select conrelid::regclass::text as source, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as definition,
       conrelid::regclass::text = any($2) and confrelid::regclass::text = any($3) as "isWithin"
     from pg_constraint
     where contype = 'f' and conparentid = 0
       and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
     order by 1, 2`,
    [tables, distributedTables, allTables],
  )
}

interface Key {
  index: string
  definition: string
  constraint: string | null
}

/** No machine can tell what is unique beyond its own rows: keys without the organization become plain indexes. */
async function shortenKeys(tx: Queryable, table: string): Promise<void> {
  const keys = await tx.query<Key>(
    `select index.indexrelid::regclass::text as index, pg_get_indexdef(index.indexrelid) as definition,
       quote_ident(pg_constraint.conname) as constraint
     from pg_index as index
     left join pg_constraint on pg_constraint.conindid = index.indexrelid
       and pg_constraint.contype = 'u'
     where index.indrelid = $1::regclass and index.indisunique and not exists (
       select from pg_attribute
       where attrelid = index.indrelid and attnum = any(index.indkey::smallint[])
         and attname = 'organization_id'
     )`,
    [table],
  )
  for (const { index, definition, constraint } of keys) {
    await tx.query(
      constraint ? `alter table ${table} drop constraint ${constraint}` : `drop index ${index}`,
    )
    await tx.query(definition.replace('CREATE UNIQUE INDEX', 'CREATE INDEX'))
  }
}

/** Citus numbers by itself where ids are bigint. Smaller ones get theirs from a plain sequence. */
async function freeIdentity(tx: Queryable, table: string): Promise<void> {
  const columns = await tx.query<{ name: string; next: number }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attidentity <> '' and atttypid <> 'bigint'::regtype`,
    [table],
  )
  for (const { name } of columns) {
    const [sequence] = await tx.query<{ next: number }>(
      `select nextval(pg_get_serial_sequence($1, $2)) as next`,
      [table, name],
    )
    const numbering = `${table}_${name}_numbers`
    await tx.query(`alter table ${table} alter column ${name} drop identity`)
    await tx.query(`create sequence ${numbering} as integer start ${sequence?.next ?? 1}`)
    await tx.query(`alter sequence ${numbering} owned by ${table}.${name}`)
    await tx.query(
      `alter table ${table} alter column ${name} set default nextval('${numbering}'::regclass)`,
    )
  }
}

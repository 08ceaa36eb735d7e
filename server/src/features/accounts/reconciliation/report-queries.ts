import type { Database, Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { Difference, DifferenceWord, Kind, LeftOut } from './difference.ts'

/** Rows per statement. */
const batchSize = 5_000

type AccountKey = Pick<StoredAccount, 'id' | 'organization_id'>

/** A device or gateway of an account. */
interface Place {
  kind: Kind
  eui: string
}

/** Replaces the report; false when the account was removed meanwhile. */
export function store(
  db: Database,
  account: AccountKey,
  report: {
    comparedAt: Date
    differences: readonly Difference[]
    leftOut: readonly LeftOut[]
    readTo: string
  },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Also locks: concurrent comparisons do not mix their reports.
    const held = await tx.query(
      `insert into reconciliations (
         network_account_id, organization_id, compared_at, failure, left_out, details_read_to
       )
       select id, organization_id, $2, '', $3, $4
       from network_accounts where id = $1 for key share
       on conflict (organization_id, network_account_id) do update
         set compared_at = $2, failure = '', left_out = $3, details_read_to = $4
       returning network_account_id`,
      [account.id, report.comparedAt, JSON.stringify(report.leftOut), report.readTo],
    )
    if (held.length === 0) return false
    await tx.query(
      'delete from reconciliation_differences where organization_id = $1 and network_account_id = $2',
      [account.organization_id, account.id],
    )
    for (let start = 0; start < report.differences.length; start += batchSize) {
      await insert(tx, account, report.differences.slice(start, start + batchSize))
    }
    return true
  })
}

async function insert(
  tx: Queryable,
  { id, organization_id }: AccountKey,
  differences: readonly Difference[],
): Promise<void> {
  // The other members are not stored, and may hold what the database refuses.
  const given = differences.map(
    ({ kind, eui, difference, problem, nameHere, nameThere, isTaken }) => {
      return { kind, eui, difference, problem, nameHere, nameThere, isTaken }
    },
  )
  await tx.query(
    `insert into reconciliation_differences (
       network_account_id, organization_id, kind, eui, difference, problem, name_here, name_there,
       is_taken
     )
     select $1, $2, kind, eui, difference, problem, "nameHere", "nameThere", "isTaken"
     from json_to_recordset($3) as given(
       kind text, eui text, difference text, problem text, "nameHere" text, "nameThere" text,
       "isTaken" boolean
     )`,
    [id, organization_id, JSON.stringify(given)],
  )
}

/** Records a failed comparison; the last complete report stays. */
export async function noteFailure(
  db: Queryable,
  account: AccountKey,
  failure: string,
): Promise<void> {
  await db.query(
    `insert into reconciliations (network_account_id, organization_id, failure)
     select id, organization_id, $2 from network_accounts where id = $1 for key share
     on conflict (organization_id, network_account_id) do update set failure = $2`,
    [account.id, failure],
  )
}

export interface StoredReport {
  compared_at: Moment | null
  failure: string
  left_out: LeftOut[]
}

export async function find(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<StoredReport | undefined> {
  const reports = await db.query<StoredReport>(
    `select compared_at, failure, left_out from reconciliations
     where organization_id = $1 and network_account_id = $2`,
    [organizationId, accountId],
  )
  return reports[0]
}

/** Reads what the next comparison starts from: known differences come first. */
export async function findProgress(
  db: Queryable,
  { id, organization_id }: AccountKey,
): Promise<{ leftOut: LeftOut[]; readTo: string; known: Set<string> }> {
  const [report] = await db.query<{ left_out: LeftOut[]; details_read_to: string }>(
    `select left_out, details_read_to from reconciliations
     where organization_id = $1 and network_account_id = $2`,
    [organization_id, id],
  )
  const known = await db.query<{ eui: string }>(
    `select eui from reconciliation_differences
     where organization_id = $1 and network_account_id = $2 and kind = 'device'
       and difference in ('key_differs', 'join_eui_differs', 'lorawan_differs', 'incomplete')`,
    [organization_id, id],
  )
  return {
    leftOut: report?.left_out ?? [],
    readTo: report?.details_read_to ?? '',
    known: new Set(known.map(({ eui }) => eui)),
  }
}

export interface DifferenceCount {
  kind: Kind
  difference: DifferenceWord
  is_ignored: boolean
  count: number
}

const withIgnores = `reconciliation_differences as differences
  left join reconciliation_ignores as ignores
    on ignores.organization_id = differences.organization_id
    and ignores.network_account_id = differences.network_account_id
    and ignores.eui = differences.eui and ignores.kind = differences.kind`

export function count(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<DifferenceCount[]> {
  return db.query<DifferenceCount>(
    `select differences.kind, differences.difference, ignores.eui is not null as is_ignored,
       count(*) as count
     from ${withIgnores}
     where differences.organization_id = $1 and differences.network_account_id = $2
     group by 1, 2, 3`,
    [organizationId, accountId],
  )
}

export type StoredDifference = Difference & { isIgnored: boolean }

/** In order of EUIs. */
export function list(
  db: Queryable,
  organizationId: number,
  accountId: number,
  page: { limit: number; offset: number },
): Promise<StoredDifference[]> {
  return db.query<StoredDifference>(
    `select differences.kind, differences.eui, differences.difference, differences.problem,
       differences.name_here as "nameHere", differences.name_there as "nameThere",
       differences.is_taken as "isTaken", ignores.eui is not null as "isIgnored"
     from ${withIgnores}
     where differences.organization_id = $1 and differences.network_account_id = $2
     order by differences.eui, differences.kind
     limit $3 offset $4`,
    [organizationId, accountId, page.limit, page.offset],
  )
}

/**
 * Removes repaired rows from the report. The account is a column of the given rows: with a constant,
 * the planner expects one row of a new table and compares each row with all given ones (5,000 of
 * 20,000 rows: 0.3 s instead of more than 30 s).
 */
export async function removeDifferences(
  db: Queryable,
  { id, organization_id }: AccountKey,
  places: readonly Place[],
): Promise<void> {
  for (let start = 0; start < places.length; start += batchSize) {
    await db.query(
      `with given as materialized (
         select $2::bigint as account_id, kind, eui
         from json_to_recordset($3) as given(kind text, eui text)
       )
       delete from reconciliation_differences as differences
       using given
       where differences.network_account_id = given.account_id
         and differences.kind = given.kind and differences.eui = given.eui
         and differences.organization_id = $1`,
      [organization_id, id, JSON.stringify(places.slice(start, start + batchSize))],
    )
  }
}

export function listIgnored(db: Queryable, account: AccountKey): Promise<Place[]> {
  return db.query<Place>(
    `select kind, eui from reconciliation_ignores
     where organization_id = $1 and network_account_id = $2`,
    [account.organization_id, account.id],
  )
}

export async function ignore(
  db: Queryable,
  { id, organization_id }: AccountKey,
  places: readonly Place[],
): Promise<void> {
  await db.query(
    `insert into reconciliation_ignores (network_account_id, organization_id, kind, eui)
     select accounts.id, $1, given.kind, given.eui
     from json_to_recordset($3) as given(kind text, eui text)
     join network_accounts as accounts on accounts.organization_id = $1 and accounts.id = $2
     order by given.eui, given.kind
     on conflict do nothing`,
    [organization_id, id, JSON.stringify(places)],
  )
}

/** Reports ignored rows again. */
export async function unignore(
  db: Queryable,
  { id, organization_id }: AccountKey,
  places: readonly Place[],
): Promise<void> {
  await db.query(
    `with given as materialized (
       select $2::bigint as account_id, kind, eui
       from json_to_recordset($3) as given(kind text, eui text)
     )
     delete from reconciliation_ignores as ignores
     using given
     where ignores.network_account_id = given.account_id
       and ignores.kind = given.kind and ignores.eui = given.eui
       and ignores.organization_id = $1`,
    [organization_id, id, JSON.stringify(places)],
  )
}

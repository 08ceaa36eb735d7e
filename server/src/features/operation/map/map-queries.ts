import type { Queryable } from '../../../db/connect.ts'

/** What an administrator has chosen. */
export interface ChosenMap {
  kind: 'outline' | 'openstreetmap' | 'address' | 'file'
  /** Of the kind `address`. */
  url: string | null
  /** Of the kind `file`: its name in the directory of maps. */
  file: string | null
  attribution: string
}

export async function find(db: Queryable): Promise<ChosenMap | undefined> {
  const rows = await db.query<ChosenMap>('select kind, url, file, attribution from map_settings')
  return rows[0]
}

export async function set(
  tx: Queryable,
  { kind, url, file, attribution }: ChosenMap,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into map_settings (id, kind, url, file, attribution, updated_at)
     values (1, $1, $2, $3, $4, $5)
     on conflict (id) do update set kind = excluded.kind, url = excluded.url, file = excluded.file,
       attribution = excluded.attribution, updated_at = excluded.updated_at`,
    [kind, url, file, attribution, now],
  )
}

import type { Queryable } from './connect.ts'

/** Says that a process lives, and will for so many seconds. What a dead one held is free. */
export async function showLife(db: Queryable, id: string, seconds: number): Promise<void> {
  await db.query(
    `with gone as (
       delete from processes where alive_until < clock_timestamp() - interval '1 hour' and id <> $1
     )
     insert into processes (id, alive_until)
     values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (id) do update set alive_until = excluded.alive_until`,
    [id, seconds],
  )
}

export async function endLife(db: Queryable, id: string): Promise<void> {
  await db.query('delete from processes where id = $1', [id])
}

/** The ids of the processes that live, as text: to stand in a query. */
export const living = '(select id::text from processes where alive_until > clock_timestamp())'

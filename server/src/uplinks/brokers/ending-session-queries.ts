import type { Queryable } from '../../db/connect.ts'
import { living } from '../../db/presence.ts'

/** A session at a broker that the service still has to end. */
export interface EndingSession {
  id: number
  organization_id: number
  network: string
  broker_session: string
  sealed_values: Buffer
  /** The session is more than a day old: this try is the last one. */
  is_last: boolean
}

type NewEnding = Pick<EndingSession, 'organization_id' | 'network' | 'broker_session'> & {
  subscriber: string | null
}

/** Inserts a session without values. They are sealed afterwards, under its id. */
export async function insertEnding(tx: Queryable, ending: NewEnding): Promise<number> {
  const { organization_id, network, broker_session, subscriber } = ending
  const [row] = await tx.query<{ id: number }>(
    `insert into ending_broker_sessions (
       organization_id, network, broker_session, subscriber, sealed_values
     )
     values ($1, $2, $3, $4, '')
     returning id`,
    [organization_id, network, broker_session, subscriber],
  )
  if (!row) throw new Error('The session was not inserted.')
  return row.id
}

export async function setEndingValues(tx: Queryable, id: number, sealed: Buffer): Promise<void> {
  await tx.query('update ending_broker_sessions set sealed_values = $2 where id = $1', [id, sealed])
}

/**
 * Deletes the oldest sessions of a tenant beyond `most`. Returns the deleted ones.
 */
export function forgetOldest(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<Pick<EndingSession, 'organization_id' | 'network'>[]> {
  return tx.query(
    `delete from ending_broker_sessions where id in (
       select endings.id from ending_broker_sessions as endings
       join organizations as owners on owners.id = endings.organization_id
       where owners.tenant_id = (select tenant_id from organizations where id = $1)
       order by endings.id desc
       offset $2
     )
     returning organization_id, network`,
    [organizationId, most],
  )
}

/**
 * Claims due sessions, at most four of each tenant, and sets the time of their next
 * try. In the first ten seconds, a session is left to the living process that followed it, because
 * the connection of that process could create the session again.
 */
export function claimEndings(db: Queryable, holder: string): Promise<EndingSession[]> {
  return db.query<EndingSession>(
    `update ending_broker_sessions set tries = tries + 1,
       next_try_at = clock_timestamp() + make_interval(secs => least(3600, 5 * power(2, tries)))
     where next_try_at <= clock_timestamp() and id in (
       select id from (
         select endings.id, row_number() over (
           partition by owners.tenant_id order by endings.next_try_at
         ) as place
         from ending_broker_sessions as endings
         join organizations as owners on owners.id = endings.organization_id
         where endings.next_try_at <= clock_timestamp()
           and (endings.subscriber is null or endings.subscriber = $1
             or endings.subscriber not in ${living}
             or endings.created_at < clock_timestamp() - interval '10 seconds')
       ) as due
       where place <= 4 order by place limit 32
     )
     returning id, organization_id, network, broker_session, sealed_values,
       created_at < clock_timestamp() - interval '1 day' as is_last`,
    [holder],
  )
}

export async function removeEnding(db: Queryable, id: number): Promise<void> {
  await db.query('delete from ending_broker_sessions where id = $1', [id])
}

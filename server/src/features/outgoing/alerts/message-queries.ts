import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import { living, type Presence } from '../../../db/presence.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { Severity } from './alert-kinds.ts'

export interface DueMessage {
  organization_id: number
  id: number
  tenant_id: number
}

/** A message that only this process sends. */
export interface ClaimedMessage {
  organization_id: number
  id: number
  key: string
  user_id: number
  /** Null for a mail of a rule. */
  channel_id: number | null
  severity: Severity | null
  url: string | null
  is_open: boolean | null
  subject: string
  body: string
  attempts: number
  claim: string
  created_at: Moment
}

/** Longer than one attempt. */
const claimSeconds = 60

const isDue = (now: string) => `mails.state = 'waiting' and mails.next_attempt_at <= ${now}
  and (mails.claimed_until is null or mails.claimed_until < statement_timestamp()
    or (mails.claimed_by is not null and mails.claimed_by::text not in ${living}))`

/** The oldest messages of each tenant, of its organizations in turn; `each` at most: none fills the list. */
export function listDue(
  db: Queryable,
  { now, each, canMail }: { now: Date; each: number; canMail: boolean },
): Promise<DueMessage[]> {
  return db.query<DueMessage>(
    // The tenants apart, since mails may be on other machines (docs/scaling.md).
    `with due as materialized (
       select mails.organization_id, mails.id, mails.next_attempt_at from alert_messages as mails
       where ${isDue('$1')} and ($3 or mails.channel_id is not null)
     )
     select organization_id, id, tenant_id
     from (
       select own.*, row_number() over (
         partition by tenant_id order by own_place, next_attempt_at, id
       ) as place
       from (
         select due.*, organizations.tenant_id, row_number() over (
           partition by due.organization_id order by due.next_attempt_at, due.id
         ) as own_place
         from due
         join organizations on organizations.id = due.organization_id
       ) as own
     ) as placed
     where place <= $2
     order by place, id
     limit 100`,
    [now, each, canMail],
  )
}

export async function claim(
  db: Queryable,
  organizationId: number,
  id: number,
  { now, presence }: { now: Date; presence: Presence },
): Promise<ClaimedMessage | undefined> {
  const rows = await db.query<ClaimedMessage>(
    `update alert_messages as mails
     set claim = $4, claimed_by = $5,
       claimed_until = statement_timestamp() + make_interval(secs => ${claimSeconds})
     where mails.organization_id = $1 and mails.id = $2 and ${isDue('$3')}
     returning mails.organization_id, mails.id, mails.key, mails.user_id, mails.channel_id,
       mails.severity, mails.url, mails.is_open, mails.subject, mails.body,
       mails.attempts, mails.claim, mails.created_at`,
    [organizationId, id, now, randomUUID(), presence.id],
  )
  return rows[0]
}

/**
 * The present address of a member; undefined if the user is no longer a member, or only of a group:
 * alerts may be about any device.
 */
export async function findAddress(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<string | undefined> {
  const rows = await db.query<{ email: string }>(
    `select users.email from members join users on users.id = members.user_id
     where members.organization_id = $1 and members.user_id = $2
       and (members.is_owner or members.group_id is null)`,
    [organizationId, userId],
  )
  return rows[0]?.email
}

export async function noteSent(db: Queryable, mail: ClaimedMessage, now: Date): Promise<void> {
  await db.query(
    `update alert_messages
     set state = 'sent', sent_at = $4, attempts = attempts + 1, claim = null, claimed_by = null,
       claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [mail.organization_id, mail.id, mail.claim, now],
  )
}

export async function postpone(
  db: Queryable,
  mail: ClaimedMessage,
  { reason, next }: { reason: string; next: Date },
): Promise<void> {
  await db.query(
    `update alert_messages
     set attempts = attempts + 1, last_failure = $4, next_attempt_at = $5, claim = null,
       claimed_by = null, claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [mail.organization_id, mail.id, mail.claim, reason, next],
  )
}

export async function giveUp(db: Queryable, mail: ClaimedMessage, reason: string): Promise<void> {
  await db.query(
    `update alert_messages
     set state = 'failed', attempts = attempts + 1, last_failure = $4, claim = null,
       claimed_by = null, claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [mail.organization_id, mail.id, mail.claim, reason],
  )
}

import type { Queryable } from '../../db/connect.ts'
import { normalEmail } from './emails.ts'

/**
 * Gives the users from before there was a normal form of e-mail addresses theirs (migration 0016).
 * Where two come to the same, the one who writes it so has it, else the first: the other logs in
 * with the address as it is written. Nothing is lost, and any number of starts may do it at one time.
 */
export async function normalizeEmails(db: Queryable): Promise<void> {
  const users = await db.query<{ id: number; email: string }>(
    `select id, email from users
     where octet_length(email) <> char_length(email) and normal_email = email
     order by id`,
  )
  for (const { id, email } of users) {
    await db.query(
      `update users set normal_email = $2
       where id = $1 and normal_email = email
         and not exists (select from users others where others.normal_email = $2)`,
      [id, normalEmail(email)],
    )
  }
}

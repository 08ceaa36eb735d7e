import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import type { Moment } from '../../http/timestamps.ts'
import { newEmail } from '../auth/emails.ts'
import { newPassword, withOwnEmailRefused } from '../auth/password-fields.ts'
import { hashPassword } from '../auth/passwords.ts'
import { findCredentials, insertUser, type NewUser } from '../auth/user-queries.ts'

/** The fields that describe a person who joins an organization. */
export const personFields = withExamples(
  {
    email: newEmail,
    password: newPassword,
    first_name: requiredText('first name'),
    last_name: requiredText('last name'),
  },
  {
    email: 'bo@example.com',
    password: 'seven green lanterns',
    first_name: 'Bo',
    last_name: 'Summer',
  },
)

export const person = withOwnEmailRefused(
  z.object(personFields, {
    error: ({ input }) =>
      input === undefined || input === null
        ? 'The owner field is required.'
        : 'The owner must be an object.',
  }),
)

/** Someone who joins: the user who has the e-mail already, or what makes a new one. */
export type Joiner = { userId: number } | NewUser

/**
 * Who joins. Somebody's password is hashed only when the e-mail is new, and before a transaction
 * begins: it takes longer than all the statements.
 */
export async function findJoiner(db: Queryable, given: z.infer<typeof person>): Promise<Joiner> {
  const known = await findCredentials(db, given.email)
  if (known) return { userId: known.id }
  return {
    email: given.email,
    passwordHash: await hashPassword(given.password),
    firstName: given.first_name.trim(),
    lastName: given.last_name.trim(),
  }
}

/** The user's id. An e-mail that somebody has by now names that user, who stays unchanged. */
export async function obtainUser(tx: Queryable, joiner: Joiner, now: Moment): Promise<number> {
  if ('userId' in joiner) return joiner.userId
  const made = await insertUser(tx, joiner, now)
  if (made !== undefined) return made
  const known = await findCredentials(tx, joiner.email)
  if (!known) throw new Error('A user was neither inserted nor found.')
  return known.id
}

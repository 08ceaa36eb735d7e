import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { newEmail } from '../users/emails.ts'
import { newPassword, withOwnEmailRefused } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { findCredentials, type NewUser } from '../users/user-queries.ts'

/**
 * The fields that describe a person who joins an organization. With a password somebody new is made
 * a user; without one the person is invited, and nothing but the e-mail is needed.
 */
export const personFields = withExamples(
  {
    email: newEmail,
    password: newPassword.nullish(),
    first_name: requiredText('first name').nullish(),
    last_name: requiredText('last name').nullish(),
  },
  {
    email: 'bo@example.com',
    password: 'seven green lanterns',
    first_name: 'Bo',
    last_name: 'Summer',
  },
)

/** What a person who is made a user needs beside the e-mail. */
const newPersonFields = ['password', 'first_name', 'last_name'] as const

type Person = z.infer<z.ZodObject<typeof personFields>>

/** Adds what a password asks of the other fields. Without an e-mail everything is asked for. */
export function withPersonChecks<T extends Person>(schema: z.ZodType<T>): z.ZodType<T> {
  const isLacking = (given: Person, field: (typeof newPersonFields)[number]) => {
    const isNew = !given.email || (field !== 'password' && given.password)
    return isNew && (given[field] ?? null) === null
  }
  return newPersonFields.reduce(
    (checked, field) =>
      checked.refine((given) => !isLacking(given, field), {
        path: [field],
        error: `The ${field.replace('_', ' ')} field is required.`,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    withOwnEmailRefused(schema),
  )
}

export const owner = withPersonChecks(
  z.object(personFields, {
    error: ({ input }) =>
      input === undefined || input === null
        ? 'The owner field is required.'
        : 'The owner must be an object.',
  }),
)

/**
 * What makes a user of a person who is given with a password and whose e-mail nobody has; undefined
 * for everybody else, who are invited. The password is hashed before a transaction begins: that
 * takes longer than all the statements.
 */
export async function readNewUser(db: Queryable, given: Person): Promise<NewUser | undefined> {
  const { email, password, first_name: firstName, last_name: lastName } = given
  if (!password || (await findCredentials(db, email))) return undefined
  return {
    email,
    passwordHash: await hashPassword(password),
    mustChangePassword: true,
    firstName: firstName?.trim() ?? '',
    lastName: lastName?.trim() ?? '',
  }
}

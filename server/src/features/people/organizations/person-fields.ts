import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { newEmail } from '../users/emails.ts'
import { newPassword, withOwnEmailRefused } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { findCredentials, type NewUser } from '../users/user-queries.ts'

/**
 * The fields of a person who joins an organization. With a password, a new person becomes a user.
 * Without one, the person is invited, and the e-mail is enough.
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

/** The fields that a new user needs besides the e-mail. */
const newPersonFields = ['password', 'first_name', 'last_name'] as const

type Person = z.infer<z.ZodObject<typeof personFields>>

/** Adds the fields that a password requires. Without an e-mail every field is required. */
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
 * The new user, when a password is given and nobody has the e-mail; undefined otherwise, and the
 * person is invited. Hashing takes longer than all statements, so it is done before a transaction
 * begins.
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

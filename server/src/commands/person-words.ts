import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Queryable } from '../db/connect.ts'
import {
  findOrganization,
  type Organization,
} from '../features/people/organizations/organization-queries.ts'
import { findFaultOf } from '../features/people/users/password-fields.ts'
import { type Credentials, findCredentials } from '../features/people/users/user-queries.ts'
import { type Permission, permissions } from '../http/endpoint.ts'

/** The help of `--permissions`. */
export const permissionsHelp = `by commas: ${permissions.slice(0, 3).join(', ')},
                       ${permissions.slice(3).join(', ')}; or all, or none`

/** @throws Error for a person to read when no user has the e-mail. */
export async function findPerson(db: Queryable, email: string): Promise<Credentials> {
  const user = await findCredentials(db, email)
  if (user) return user
  throw new Error(`No user has the e-mail ${email}. lora-console user list shows who there is.`)
}

/** @throws Error for a person to read when there is no such organization. */
export async function findNamed(db: Queryable, text: string): Promise<Organization> {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  const organization = id > 0 ? await findOrganization(db, id) : undefined
  if (organization) return organization
  throw new Error(`There is no organization ${text}: --organization names one by its id.`)
}

/** @throws Error for a person to read when a word is none. */
export function readPermissions(text: string): Permission[] {
  const words = text.split(',').flatMap((word) => word.trim() || [])
  if (text === 'all') return [...permissions]
  if (text === 'none') return []
  const wrong = words.filter((word) => !permissions.some((known) => known === word))
  if (wrong.length === 0 && words.length > 0) {
    return permissions.filter((known) => words.includes(known))
  }
  const named = wrong.length > 0 ? `There is no permission ${wrong.join(', ')}` : 'None is named'
  throw new Error(`${named}: ${permissions.join(', ')}, or all, or none.`)
}

/**
 * The first line of standard input, or a password that is made up.
 * @throws Error for a person to read when it may not be one.
 */
export async function choosePassword(
  email: string,
  isGiven: boolean | undefined,
): Promise<{ password: string; isMadeUp: boolean }> {
  if (!isGiven) return { password: randomBytes(18).toString('base64url'), isMadeUp: true }
  const password = await readLine()
  const fault = findFaultOf(password, email)
  if (fault !== undefined) throw new Error(fault)
  return { password, isMadeUp: false }
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new Error('Standard input has no password.')
}

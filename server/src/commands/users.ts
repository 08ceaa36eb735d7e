import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Database, Queryable } from '../db/connect.ts'
import { invite } from '../features/people/organizations/invite.ts'
import {
  deleteMember,
  findMember,
  hasGroup,
  isMemberByEmail,
  type Member,
  setPermissions,
} from '../features/people/organizations/member-queries.ts'
import { makeMember } from '../features/people/organizations/members.ts'
import {
  findOrganization,
  findTenant,
  type Organization,
} from '../features/people/organizations/organization-queries.ts'
import { endSessionsOf } from '../features/people/sessions/session-queries.ts'
import { disableTwoFactor } from '../features/people/two-factor/two-factor-queries.ts'
import { isEmail } from '../features/people/users/emails.ts'
import { findFaultOf } from '../features/people/users/password-fields.ts'
import { hashPassword } from '../features/people/users/passwords.ts'
import { permissionsOf } from '../features/people/users/role-fields.ts'
import {
  type Credentials,
  findCredentials,
  listUsers,
  setPassword,
} from '../features/people/users/user-queries.ts'
import { type Permission, permissions } from '../http/endpoint.ts'
import { HttpError } from '../http/errors.ts'
import { toOneLine } from '../http/fields.ts'
import { momentOf } from '../http/timestamps.ts'
import { roleNames } from '../lora/roles.ts'
import { command } from './command.ts'

/** The help of `--permissions`. */
const permissionsHelp = `by commas: ${permissions.slice(0, 3).join(', ')},
                       ${permissions.slice(3).join(', ')}; or all, or none`

/** @throws Error for a person to read when no user has the e-mail. */
async function findPerson(db: Queryable, email: string): Promise<Credentials> {
  const user = await findCredentials(db, email)
  if (user) return user
  throw new Error(`No user has the e-mail ${email}. lora-console user list shows who there is.`)
}

/** @throws Error for a person to read when there is no such organization. */
async function findNamed(db: Queryable, text: string): Promise<Organization> {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  const organization = id > 0 ? await findOrganization(db, id) : undefined
  if (organization) return organization
  throw new Error(`There is no organization ${text}: --organization names one by its id.`)
}

/** @throws Error for a person to read when there is no such role. */
function readRole(text: string): Permission[] {
  const role = roleNames.find((name) => name === text)
  if (!role) throw new Error(`There is no role ${text}: ${roleNames.join(', ')}.`)
  return permissionsOf({ role }) ?? []
}

/** @throws Error for a person to read when both are given, or a word is none. */
function readRights(words: string | undefined, role: string | undefined): Permission[] {
  if (role === undefined) return readPermissions(words ?? 'none')
  if (words !== undefined) throw new Error('Give --role or --permissions, not both.')
  return readRole(role)
}

/** @throws Error for a person to read when a word is none. */
function readPermissions(text: string): Permission[] {
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
async function choosePassword(
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

/** What is to be given to whom. */
interface Wanted {
  email: string
  organization: Organization
  permissions: Permission[]
  group: number | null
}

export const addUser = command({
  name: 'user add',
  parameters: ['E-MAIL'],
  summary: 'makes somebody a member of an organization, with a login of their own',
  help: `Makes a password up, and prints it once. The user is asked for another one after the login. Somebody
who has a login already is invited instead, in the name of the organization's owner, and becomes a
member by accepting the invitation in the console.

  --organization ID    which one: 1
  --permissions WORDS  ${permissionsHelp}: none
  --role ROLE          instead of them, one of: ${roleNames.join(', ')}
  --group ID           limits the member to a group and those below it
  --first-name TEXT, --last-name TEXT
  --stdin              takes the password from the first line of standard input instead`,
  options: {
    organization: { type: 'string', default: '1' },
    permissions: { type: 'string' },
    role: { type: 'string' },
    group: { type: 'string' },
    'first-name': { type: 'string', default: '' },
    'last-name': { type: 'string', default: '' },
    stdin: { type: 'boolean' },
  },
  run({ say, log, withDatabase }, [given = ''], values) {
    const email = given.trim()
    if (!isEmail(email)) throw new Error(`${email} is no e-mail address.`)
    const permissions = readRights(values.permissions, values.role)
    return withDatabase(async ({ db }) => {
      const organization = await findNamed(db, values.organization)
      const group = await readGroup(db, organization, values.group)
      const wanted = { email, organization, permissions, group }
      const result = { email, organization: organization.id, permissions, group }
      if (await isMemberByEmail(db, organization.id, email)) {
        throw new Error(`${email} is a member of ${organization.name} already.`)
      }
      if (await findCredentials(db, email)) {
        await inviteUser(db, wanted)
        say(`${email} has a login, and is invited to ${organization.name} for 14 days.`)
        return { ...result, invited: true }
      }
      const { password, isMadeUp } = await choosePassword(email, values.stdin)
      const names = {
        firstName: toOneLine(values['first-name'].trim()),
        lastName: toOneLine(values['last-name'].trim()),
      }
      const user = { email, passwordHash: await hashPassword(password), mustChangePassword: true }
      const now = () => new Date()
      const rights = { permissions, group }
      const member = await makeMember({ db, now }, organization.id, { ...user, ...names }, rights)
      if (!member) throw new Error(`Somebody has just taken the e-mail ${email}: run this again.`)
      log.info({ userId: member.id }, 'user added by the operator')
      say(`${email} is a member of ${organization.name}, with ${describe(permissions)}.`)
      if (isMadeUp) say(`The password is  ${password}`)
      return { ...result, id: member.id, invited: false, ...(isMadeUp ? { password } : {}) }
    })
  },
})

function describe(permissions: readonly Permission[]): string {
  return permissions.length > 0 ? permissions.join(', ') : 'no permission beyond reading'
}

async function readGroup(
  db: Database,
  { id, name }: Organization,
  text: string | undefined,
): Promise<number | null> {
  if (text === undefined) return null
  const group = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (group > 0 && (await hasGroup(db, id, group))) return group
  throw new Error(`${name} has no group ${text}: --group names one by its id.`)
}

/** The owner stands for it, as for all that the organization does. */
async function inviteUser(db: Database, wanted: Wanted): Promise<void> {
  const { email, organization, permissions, group } = wanted
  const sender = {
    organizationId: organization.id,
    tenantId: await findTenant(db, organization.id),
    userId: organization.owner_user_id,
  }
  try {
    await invite({ db, now: () => new Date() }, sender, {
      email,
      field: 'email',
      permissions,
      group,
    })
  } catch (error) {
    const words = error instanceof HttpError ? error.errors?.email?.[0] : undefined
    throw words === undefined ? error : new Error(words)
  }
}

/** Most lines of one call. */
const most = 1000

export const listUsersCommand = command({
  name: 'user list',
  parameters: [],
  summary: 'lists the users: id, e-mail, and the organizations they own',
  help: `Lists ${most} users at most, by id.

  --search TEXT  only those whose e-mail or name has this in it, in any case`,
  options: { search: { type: 'string' } },
  run: ({ say, withDatabase }, _parameters, { search }) =>
    withDatabase(async ({ db }) => {
      const users = await listUsers(db, search ?? '', most + 1)
      for (const { id, email, owned } of users.slice(0, most)) {
        say([id, email, ...(owned ? [`owner of ${owned}`] : [])].join('\t'))
      }
      if (users.length === 0) say('There is no such user.')
      if (users.length > most) say(`There are more: name some with --search.`)
      return { users: users.slice(0, most), more: users.length > most }
    }),
})

const organizationOption = { organization: { type: 'string', default: '1' } } as const

export const permitUser = command({
  name: 'user permit',
  parameters: ['E-MAIL', 'PERMISSIONS'],
  summary: 'sets what a member may do in an organization',
  help: `PERMISSIONS are ${permissionsHelp}; or a role, one of: ${roleNames.join(', ')}.
Those that are not named are taken away. It holds from the next request on.

  --organization ID  which one: 1`,
  options: organizationOption,
  run({ say, log, withDatabase }, [email = '', words = ''], values) {
    const permissions = roleNames.some((role) => role === words)
      ? readRole(words)
      : readPermissions(words)
    return withDatabase(async ({ db }) => {
      const organization = await findNamed(db, values.organization)
      const userId = await db.transaction(async (tx) => {
        const member = await lockMember(tx, organization, email)
        if (member.is_owner) {
          throw new Error(`${email} owns ${organization.name}, and has every permission.`)
        }
        await setPermissions(tx, organization.id, member.id, permissions)
        return member.id
      })
      log.info({ userId, organizationId: organization.id }, 'permissions set by the operator')
      say(`${email} has ${permissions.join(', ') || 'no permission'} in ${organization.name}.`)
      return { email, organization: organization.id, permissions }
    })
  },
})

export const removeUser = command({
  name: 'user remove',
  parameters: ['E-MAIL'],
  summary: 'ends the membership of a user in an organization',
  help: `The user keeps the login and other organizations. What the user could see goes on being valid until
it is rotated: API keys, callback secrets and device keys.

  --organization ID  which one: 1`,
  options: organizationOption,
  run: ({ say, log, withDatabase }, [email = ''], values) =>
    withDatabase(async ({ db }) => {
      const organization = await findNamed(db, values.organization)
      const userId = await db.transaction(async (tx) => {
        const member = await lockMember(tx, organization, email)
        if (await deleteMember(tx, organization.id, member.id)) return member.id
        throw new Error(`${email} owns ${organization.name}: the owner cannot be removed.`)
      })
      log.info({ userId, organizationId: organization.id }, 'member removed by the operator')
      say(`${email} is no member of ${organization.name} any more.`)
      return { email, organization: organization.id }
    }),
})

export const resetTwoFactor = command({
  name: 'user reset-two-factor',
  parameters: ['E-MAIL'],
  summary: 'takes two-factor off a user who has lost it, and ends the sessions of the user',
  help: `The secret, the passkeys and the recovery codes are gone, and the password is enough to log in until the user sets
two-factor up again. Be sure that it is the user who asks.`,
  options: {},
  run: ({ say, log, withDatabase }, [email = '']) =>
    withDatabase(async ({ db }) => {
      const user = await findPerson(db, email)
      const wasOn = await db.transaction(async (tx) => {
        if (!(await disableTwoFactor(tx, user.id))) return false
        await endSessionsOf(tx, user.id, undefined, momentOf(new Date()))
        return true
      })
      if (wasOn) log.info({ userId: user.id }, 'two-factor taken off by the operator')
      say(
        wasOn
          ? `${email} has no two-factor any more. All sessions of the user have ended.`
          : `${email} has no two-factor: nothing was changed.`,
      )
      return { email, was_on: wasOn }
    }),
})

/** @throws Error for a person to read when there is no such membership. */
async function lockMember(
  tx: Queryable,
  organization: Organization,
  email: string,
): Promise<Member> {
  const { id } = await findPerson(tx, email)
  const member = await findMember(tx, organization.id, id, 'for update of members')
  if (member) return member
  throw new Error(`${email} is no member of ${organization.name}.`)
}

export const resetPassword = command({
  name: 'user reset-password',
  parameters: ['E-MAIL'],
  summary: 'gives a user a new password, and ends the sessions of the user',
  help: `Makes a password up, and prints it once. The user is asked for another one after the login.
Two-factor stays as it is. Works whether the service runs or not. "user list" shows who there is.

  --stdin  takes the password from the first line of standard input instead`,
  options: { stdin: { type: 'boolean' } },
  async run({ say, log, withDatabase }, [email = ''], { stdin }) {
    const { password, isMadeUp } = await choosePassword(email, stdin)
    await withDatabase(async ({ db }) => {
      const userId = await giveTo(db, email, password)
      log.info({ userId }, 'password reset by the operator')
    })
    say(
      isMadeUp ? `The new password of ${email} is  ${password}` : `${email} has the new password.`,
    )
    say('All sessions of the user have ended. Two-factor stays as it is.')
    return { email, ...(isMadeUp ? { password } : {}) }
  },
})

/** Returns the user's id. @throws Error for a person to read when no user has the e-mail. */
async function giveTo(db: Database, email: string, password: string): Promise<number> {
  const user = await findPerson(db, email)
  const passwordHash = await hashPassword(password)
  const now = momentOf(new Date())
  await db.transaction(async (tx) => {
    await setPassword(tx, user.id, { passwordHash, mustChange: true }, now)
    await endSessionsOf(tx, user.id, undefined, now)
  })
  return user.id
}

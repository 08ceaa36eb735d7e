import type { Database } from '../db/connect.ts'
import { invite } from '../features/organizations/invite.ts'
import { hasGroup, isMemberByEmail } from '../features/organizations/member-queries.ts'
import { makeMember } from '../features/organizations/new-member.ts'
import { findTenant, type Organization } from '../features/organizations/organization-queries.ts'
import { isEmail } from '../features/users/emails.ts'
import { hashPassword } from '../features/users/passwords.ts'
import { findCredentials } from '../features/users/user-queries.ts'
import type { Permission } from '../http/endpoint.ts'
import { HttpError } from '../http/errors.ts'
import { toOneLine } from '../http/fields.ts'
import { command } from './command.ts'
import { choosePassword, findNamed, permissionsHelp, readPermissions } from './person-words.ts'

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
  --group ID           limits the member to a group and those below it
  --first-name TEXT, --last-name TEXT
  --stdin              takes the password from the first line of standard input instead`,
  options: {
    organization: { type: 'string', default: '1' },
    permissions: { type: 'string', default: 'none' },
    group: { type: 'string' },
    'first-name': { type: 'string', default: '' },
    'last-name': { type: 'string', default: '' },
    stdin: { type: 'boolean' },
  },
  run({ say, log, withDatabase }, [given = ''], values) {
    const email = given.trim()
    if (!isEmail(email)) throw new Error(`${email} is no e-mail address.`)
    const permissions = readPermissions(values.permissions)
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

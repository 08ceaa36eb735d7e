import type { Queryable } from '../db/connect.ts'
import {
  deleteMember,
  findMember,
  type Member,
  setPermissions,
} from '../features/organizations/member-queries.ts'
import type { Organization } from '../features/organizations/organization-queries.ts'
import { endSessionsOf } from '../features/sessions/session-queries.ts'
import { disableTwoFactor } from '../features/two-factor/two-factor-queries.ts'
import { momentOf } from '../http/timestamps.ts'
import { command } from './command.ts'
import { findNamed, findPerson, permissionsHelp, readPermissions } from './person-words.ts'

const organizationOption = { organization: { type: 'string', default: '1' } } as const

export const permitUser = command({
  name: 'user permit',
  parameters: ['E-MAIL', 'PERMISSIONS'],
  summary: 'sets what a member may do in an organization',
  help: `PERMISSIONS are ${permissionsHelp}. Those that are not named are taken away. It holds from the
next request on.

  --organization ID  which one: 1`,
  options: organizationOption,
  run({ say, log, withDatabase }, [email = '', words = ''], values) {
    const permissions = readPermissions(words)
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
  help: `The secret and the recovery codes are gone, and the password alone logs in until the user sets
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

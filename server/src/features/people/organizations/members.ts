import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import {
  type ChangeRecord,
  changeBy,
  changeOf,
  dataOf,
  textOf,
} from '../../../http/change-record.ts'
import type { Caller, Permission, RecordChange } from '../../../http/endpoint.ts'
import { forbidden, invalid } from '../../../http/errors.ts'
import { pageQuery, requiredText, searchText, sortOrder } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { type Moment, momentOf } from '../../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { permissionsOf, roleField, withRoleChecks } from '../users/role-fields.ts'
import { insertUser, type NewUser, renameUser } from '../users/user-queries.ts'
import { userRecord } from '../users/user-record.ts'
import { removeOfMember } from './invitation-queries.ts'
import { invited } from './invitation-record.ts'
import { invite } from './invite.ts'
import {
  deleteMember,
  findMember,
  insertMember,
  isMemberByEmail,
  isMemberElsewhere,
  listMemberPage,
  lockOwners,
  type Member,
  passOwnership,
  setGroup,
  setPermissions,
} from './member-queries.ts'
import {
  checkGroup,
  groupField,
  heldBy,
  listedMember,
  memberNotFound,
  memberPath,
  permissionList,
  refuseGrantBeyond,
  toListedMember,
  toMemberRecord,
} from './member-record.ts'
import { endMemberSessions as end } from './organization-queries.ts'
import { personFields, readNewUser, withPersonChecks } from './person-fields.ts'

export const listMembers = endpoint({
  summary: 'The members of the organization and their permissions',
  query: z.object({ ...pageQuery, search: searchText(), sortOrder }),
  answer: paginated(listedMember),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, members } = await listMemberPage(db, caller.organizationId, {
      page,
      search: query.search,
      isDescending: query.sortOrder === 'desc',
    })
    return paginatedList(members.map(toListedMember), total, page, {
      request,
      payload: query,
    })
  },
})

/**
 * Makes somebody new a user and a member at once. Undefined when another request has just taken the
 * e-mail address.
 */
export function makeMember(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  organizationId: number,
  user: NewUser,
  rights: { permissions: readonly Permission[]; group: number | null },
  record?: RecordChange,
): Promise<Member | undefined> {
  const time = momentOf(now())
  return db.transaction(async (tx) => {
    const userId = await insertUser(tx, user, time)
    if (userId === undefined) return undefined
    await insertMember(tx, organizationId, { userId, ...rights }, time)
    await removeOfMember(tx, organizationId, user.email)
    await record?.(tx, { data: { id: userId, email: user.email } })
    return findMember(tx, organizationId, userId)
  })
}

/** Somebody is new at once, or is invited first. */
export function joiningChange(
  action: 'added' | 'created',
  kind: 'member' | 'organization',
): ChangeRecord {
  return changeBy((done) => {
    const { email, name, id, status } = dataOf(done)
    const isInvited = status === 'invited'
    const subject = isInvited ? undefined : textOf(id)
    const words = kind === 'member' ? email : (done.body.name ?? name)
    return { kind, action: isInvited ? 'invited' : action, subject, name: textOf(words) }
  })
}

export const addMember = endpoint({
  summary: 'Adds a new user as a member, or invites whoever has the e-mail',
  description:
    'With a password somebody new becomes a user and a member: 201. An e-mail that a user has, or one without a password, is invited: 202. Nobody is a member before they have accepted (`POST /user/invitations/{id}/accept`), and the answer tells nothing about them.',
  body: withRoleChecks(
    withPersonChecks(
      z.object({
        ...personFields,
        permissions: permissionList.nullish(),
        role: roleField,
        group: groupField,
      }),
    ),
  ),
  answer: z.object({ data: userRecord }),
  accepted: invited,
  status: 201,
  change: joiningChange('added', 'member'),
  async handle({ body, caller, record }, services) {
    const { db } = services
    const permissions = permissionsOf(body) ?? []
    const group = body.group ?? null
    refuseGrantBeyond(caller, permissions)
    await checkGroup(db, caller.organizationId, group)
    if (await isMemberByEmail(db, caller.organizationId, body.email)) {
      throw invalid({ email: ['This person is a member of the organization already.'] })
    }
    const user = await readNewUser(db, body)
    const rights = { permissions, group }
    const member = user && (await makeMember(services, caller.organizationId, user, rights, record))
    if (member) return { data: toMemberRecord(member) }
    return invite(services, caller, { email: body.email, field: 'email', ...rights, record })
  },
})

const changes = withRoleChecks(
  z.object({
    permissions: permissionList.optional(),
    role: roleField,
    group: groupField,
    first_name: requiredText('first name').optional(),
    last_name: requiredText('last name').optional(),
  }),
)

export const changeMember = endpoint({
  summary: "Changes a member's permissions, group or names; what is left out stays",
  params: memberPath,
  body: changes,
  answer: z.object({ data: userRecord }),
  change: changeOf('member', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const changed = await db.transaction(async (tx) => {
      const member = await findMember(tx, organizationId, params.user_id, 'for update of members')
      if (!member) throw memberNotFound()
      await changePermissions(tx, caller, member, body)
      if (body.group !== undefined) await changeGroup(tx, organizationId, member, body.group)
      await changeNames(tx, caller, member, { ...body, time: momentOf(now()) })
      await record(tx)
      return findMember(tx, organizationId, params.user_id)
    })
    if (!changed) throw memberNotFound()
    return { data: toMemberRecord(changed) }
  },
})

async function changePermissions(
  tx: Queryable,
  caller: Caller,
  member: Member,
  body: z.infer<typeof changes>,
): Promise<void> {
  const wanted = permissionsOf(body)
  if (!wanted) return
  const held = heldBy(member)
  if (member.is_owner && wanted.length < held.length) {
    const field = body.role ? 'role' : 'permissions'
    throw invalid({ [field]: ['The owner of the organization has every permission.'] })
  }
  refuseGrantBeyond(caller, wanted, held)
  await setPermissions(tx, caller.organizationId, member.id, wanted)
}

async function changeGroup(
  tx: Queryable,
  organizationId: number,
  member: Member,
  group: number | null,
): Promise<void> {
  if (member.is_owner && group !== null) {
    throw invalid({ group: ['The owner of the organization cannot be limited to a group.'] })
  }
  await checkGroup(tx, organizationId, group)
  await setGroup(tx, organizationId, member.id, group)
}

/**
 * A name belongs to the person and shows in every organization. Where somebody is a member of
 * several organizations, nobody else may change it.
 */
async function changeNames(
  tx: Queryable,
  caller: Caller,
  member: Member,
  given: { first_name?: string | undefined; last_name?: string | undefined; time: Moment },
): Promise<void> {
  const names = { firstName: given.first_name?.trim(), lastName: given.last_name?.trim() }
  if (names.firstName === undefined && names.lastName === undefined) return
  const isOwnName = member.id === caller.userId
  if (!isOwnName && (await isMemberElsewhere(tx, caller.organizationId, member.id))) {
    const field = names.firstName === undefined ? 'last_name' : 'first_name'
    const reason = 'Only they can change their name, as they belong to other organizations too.'
    throw invalid({ [field]: [reason] })
  }
  await renameUser(tx, member.id, names, given.time)
}

export const removeMember = endpoint({
  summary: 'Ends a membership; the person keeps their login and other organizations',
  description:
    'What they could see goes on being valid until it is rotated: with `manage_account`, callback secrets (`POST /network-accounts/{network}/rotate` with `end_former`) and API keys (`POST /api-keys/{key_id}/rotate` with `overlap_hours` 0); with `manage_widget_dashboard`, links of dashboards (`DELETE /dashboards/{dashboard_id}/links/{link_id}`); with `manage_gateways`, tokens of gateways of kind `other` (`POST /gateways/{gateway_id}/rotate-token` with `end_former`); with `manage_devices`, device keys (a device gets another by `PATCH /devices/{device_id}`).',
  params: memberPath,
  status: 204,
  change: changeOf('member', 'removed'),
  async handle({ params, caller, record }, { db }) {
    const isGone = await db.transaction(async (tx) => {
      const isDeleted = await deleteMember(tx, caller.organizationId, params.user_id)
      if (isDeleted) await record(tx)
      return isDeleted
    })
    if (isGone) return
    const member = await findMember(db, caller.organizationId, params.user_id)
    if (!member?.is_owner) throw memberNotFound()
    throw forbidden('The owner of the organization cannot be removed.')
  },
})

export const leaveOrganization = endpoint({
  summary: 'Ends the own membership; the last owner stays',
  status: 204,
  change: changeBy(() => ({ kind: 'member', action: 'left' })),
  async handle({ caller, record }, { db }) {
    const { organizationId, userId } = caller
    await db.transaction(async (tx) => {
      const owners = await lockOwners(tx, organizationId)
      if (owners.includes(userId)) {
        const successor = owners.find((owner) => owner !== userId)
        if (successor === undefined) {
          throw forbidden('The last owner of an organization cannot leave it.')
        }
        await passOwnership(tx, organizationId, { from: userId, to: successor })
      }
      await deleteMember(tx, organizationId, userId)
      await record(tx)
    })
  },
})

export const endMemberSessions = endpoint({
  summary: "Ends a member's sessions in this organization: they must log in again",
  description: `Every session of the member that began before no longer reaches this organization. Other organizations of
the member are not affected; if there is none, the sessions end. API keys stay: revoke those that matter.`,
  params: memberPath,
  status: 204,
  failures: [404],
  change: changeOf('member', 'logged out'),
  async handle({ params, caller, record }, { db, now }) {
    await db.transaction(async (tx) => {
      const isMember = await end(tx, caller.organizationId, params.user_id, momentOf(now()))
      if (!isMember) throw memberNotFound()
      await record(tx)
    })
  },
})

import type { Queryable } from '../../../db/connect.ts'
import { type Permission, permissions } from '../../../http/endpoint.ts'
import type { Page } from '../../../http/pages.ts'
import type { Moment } from '../../../http/timestamps.ts'
import {
  formatsOfOrganization,
  type OrganizationFormats,
  type SomeFormats,
} from '../../../lora/formats.ts'
import { normalEmail } from '../users/emails.ts'
import type { User } from '../users/user-queries.ts'

/** A user as a member of one organization. */
export interface Member extends User {
  is_owner: boolean
  permissions: Permission[]
  /** The group to which the membership is limited. */
  group_id: number | null
  last_login_at: Moment | null
  joined_at: Moment
}

interface MemberPage {
  total: number
  members: Member[]
}

const memberColumns = `users.id, users.email, users.first_name, users.last_name,
  users.timezone_format, users.timezone_id, users.must_change_password, users.last_login_at, members.is_owner,
  members.permissions, members.group_id, members.created_at as joined_at`

/** A page of members by user id; `search` is part of a name or e-mail, in any case. */
export async function listMemberPage(
  db: Queryable,
  organizationId: number,
  list: { page: Page; search: string; isDescending: boolean },
): Promise<MemberPage> {
  const { page, search, isDescending } = list
  const isFound = `members.organization_id = $1 and ($2 = '' or strpos(
    lower(users.first_name || ' ' || users.last_name || ' ' || users.email), lower($2)) > 0)`
  const [count] = await db.query<{ total: number }>(
    `select count(*) as total from members join users on users.id = members.user_id
     where ${isFound}`,
    [organizationId, search],
  )
  const members = await db.query<Member>(
    `select ${memberColumns} from members join users on users.id = members.user_id
     where ${isFound}
     order by case when $3 then -users.id else users.id end
     limit $4 offset $5`,
    [organizationId, search, isDescending, page.size, (page.number - 1) * page.size],
  )
  return { total: count?.total ?? 0, members }
}

/** An organization of a user, with what the user may do there. */
interface Membership {
  id: number
  name: string
  parent_org_id: number | null
  is_owner: boolean
  permissions: Permission[]
  /** The group to which the membership is limited. */
  group: number | null
  requires_two_factor: boolean
  formats: OrganizationFormats
}

/** Every organization of the user, oldest first. An owner holds all permissions. */
export async function listMembershipsOf(db: Queryable, userId: number): Promise<Membership[]> {
  const rows = await db.query<Membership & { formats: SomeFormats }>(
    `select organizations.id, organizations.name, organizations.parent_org_id, members.is_owner,
       members.permissions, case when not members.is_owner then members.group_id end as "group",
       organizations.requires_two_factor, organizations.formats
     from members join organizations on organizations.id = members.organization_id
     where members.user_id = $1 and organizations.deletion_id is null order by organizations.id`,
    [userId],
  )
  return rows.map((row) => ({
    ...row,
    ...(row.is_owner && { permissions: [...permissions] }),
    formats: formatsOfOrganization(row.formats),
  }))
}

/** The member; with `lock` locked against changes until the transaction ends. */
export async function findMember(
  db: Queryable,
  organizationId: number,
  userId: number,
  lock: '' | 'for update of members' = '',
): Promise<Member | undefined> {
  const rows = await db.query<Member>(
    `select ${memberColumns} from members join users on users.id = members.user_id
     where members.organization_id = $1 and members.user_id = $2 ${lock}`,
    [organizationId, userId],
  )
  return rows[0]
}

/** Changes nothing when the user is a member already. */
export async function insertMember(
  tx: Queryable,
  organizationId: number,
  member: { userId: number; permissions: readonly Permission[]; group: number | null },
  now: Moment,
): Promise<void> {
  await tx.query(
    `insert into members (organization_id, user_id, permissions, group_id, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (organization_id, user_id) do nothing`,
    [organizationId, member.userId, member.permissions, member.group, now],
  )
}

export async function setPermissions(
  tx: Queryable,
  organizationId: number,
  userId: number,
  permissions: readonly Permission[],
): Promise<void> {
  await tx.query(
    'update members set permissions = $3 where organization_id = $1 and user_id = $2',
    [organizationId, userId, permissions],
  )
}

/** Limits a membership to the devices in a group and below it; null: to none. */
export async function setGroup(
  tx: Queryable,
  organizationId: number,
  userId: number,
  group: number | null,
): Promise<void> {
  await tx.query('update members set group_id = $3 where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
    group,
  ])
}

export async function hasGroup(
  db: Queryable,
  organizationId: number,
  group: number,
): Promise<boolean> {
  const rows = await db.query('select from device_groups where organization_id = $1 and id = $2', [
    organizationId,
    group,
  ])
  return rows.length > 0
}

/** Ends a membership, except the owner's; false when there is none. */
export async function deleteMember(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<boolean> {
  const rows = await db.query<{ user_id: number }>(
    `delete from members
     where organization_id = $1 and user_id = $2 and not is_owner
     returning user_id`,
    [organizationId, userId],
  )
  return rows.length > 0
}

/** Whether a member has the e-mail address, in any spelling. */
export async function isMemberByEmail(
  db: Queryable,
  organizationId: number,
  email: string,
): Promise<boolean> {
  const rows = await db.query(
    `select from members join users on users.id = members.user_id
     where members.organization_id = $1 and users.normal_email = $2`,
    [organizationId, normalEmail(email)],
  )
  return rows.length > 0
}

/** The user ids of the owners, locked until the transaction ends. */
export async function lockOwners(tx: Queryable, organizationId: number): Promise<number[]> {
  const rows = await tx.query<{ user_id: number }>(
    `select user_id from members where organization_id = $1 and is_owner
     order by user_id for update`,
    [organizationId],
  )
  return rows.map(({ user_id }) => user_id)
}

/** Makes one owner an ordinary member; another owner gets the account. */
export async function passOwnership(
  tx: Queryable,
  organizationId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.query(
    'update members set is_owner = false where organization_id = $1 and user_id = $2',
    [organizationId, from],
  )
  await tx.query(
    'update organizations set owner_user_id = $3 where id = $1 and owner_user_id = $2',
    [organizationId, from, to],
  )
}

/** Whether the user owns an organization. */
export async function isOwner(db: Queryable, userId: number): Promise<boolean> {
  const rows = await db.query('select from members where user_id = $1 and is_owner limit 1', [
    userId,
  ])
  return rows.length > 0
}

export async function isMemberElsewhere(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<boolean> {
  const rows = await db.query(
    'select from members where organization_id <> $1 and user_id = $2 limit 1',
    [organizationId, userId],
  )
  return rows.length > 0
}

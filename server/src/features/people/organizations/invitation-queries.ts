import type { Queryable } from '../../../db/connect.ts'
import type { Permission } from '../../../http/endpoint.ts'
import type { Page } from '../../../http/pages.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { normalEmail } from '../users/emails.ts'

/** An invitation that waits for an answer. */
export interface Invitation {
  id: number
  organization_id: number
  organization_name: string
  /** The child organization that the person will own; null for a membership. */
  child_name: string | null
  email: string
  permissions: Permission[]
  /** The group to which the membership will be limited. */
  group_id: number | null
  inviter_email: string
  created_at: Moment
  expires_at: Moment
}

interface NewInvitation {
  email: string
  childName: string | undefined
  permissions: readonly Permission[]
  group: number | null
  invitedBy: number
  createdAt: Moment
  expiresAt: Moment
}

/**
 * Invitations still in force. An invitation ends when its sender loses the right to send it: nobody
 * can return through an invitation that they sent to themselves before they left.
 */
const standing = `invitations
  join organizations on organizations.id = invitations.organization_id
  join users as inviters on inviters.id = invitations.invited_by
  join members on members.organization_id = invitations.organization_id
    and members.user_id = invitations.invited_by
    and (members.is_owner
      or members.group_id is null and members.permissions @> array['manage_account']
      and (invitations.child_name is not null
        or members.permissions @> invitations.permissions))`

const columns = `invitations.id, invitations.organization_id,
  organizations.name as organization_name, invitations.child_name, invitations.email,
  invitations.permissions, invitations.group_id, inviters.email as inviter_email, invitations.created_at,
  invitations.expires_at`

/**
 * Stores the invitation and replaces an earlier one to the same person, whose link ends. Takes the same
 * steps whether a user has the e-mail address or not.
 */
export async function save(
  tx: Queryable,
  organizationId: number,
  invitation: NewInvitation,
): Promise<{ id: number; normal_email: string }> {
  const email = normalEmail(invitation.email)
  const [user] = await tx.query<{ normal_email: string }>(
    `select normal_email from users where normal_email in ($1, $2)
     order by normal_email = $1 limit 1`,
    [email, invitation.email],
  )
  const [saved] = await tx.query<{ id: number; normal_email: string }>(
    `insert into invitations (organization_id, child_name, email, normal_email, permissions,
       invited_by, created_at, expires_at, group_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (organization_id, normal_email, child_name) do update
     set email = excluded.email, permissions = excluded.permissions,
       invited_by = excluded.invited_by, created_at = excluded.created_at,
       expires_at = excluded.expires_at, group_id = excluded.group_id, link_hash = null
     returning id, normal_email`,
    [
      organizationId,
      invitation.childName,
      invitation.email,
      user?.normal_email ?? email,
      invitation.permissions,
      invitation.invitedBy,
      invitation.createdAt,
      invitation.expiresAt,
      invitation.group,
    ],
  )
  if (!saved) throw new Error('The invitation was not saved.')
  return saved
}

/**
 * Counts open invitations of the organization, of its tenant, and to the e-mail address within the
 * tenant.
 */
export async function countWaiting(
  tx: Queryable,
  organizationId: number,
  { tenantId, normalEmail, now }: { tenantId: number; normalEmail: string; now: Moment },
): Promise<{ of_organization: number; of_tenant: number; of_email: number }> {
  const [counts] = await tx.query<{ of_organization: number; of_tenant: number; of_email: number }>(
    `select count(*) as of_tenant,
       count(*) filter (where invitations.organization_id = $1) as of_organization,
       count(*) filter (where invitations.normal_email = $3) as of_email
     from invitations
     join organizations on organizations.id = invitations.organization_id
     where organizations.tenant_id = $2 and invitations.expires_at > $4`,
    [organizationId, tenantId, normalEmail, now],
  )
  return counts ?? { of_organization: 0, of_tenant: 0, of_email: 0 }
}

/** Makes transactions that count invitations and organizations of a tenant wait for each other. */
export async function lockTenant(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('people of tenant ' || tenant_id, 0))
     from organizations where id = $1`,
    [organizationId],
  )
}

/** The open invitations of the user, oldest first. */
export function listOfUser(
  db: Queryable,
  userId: number,
  { now, most }: { now: Moment; most: number },
): Promise<Invitation[]> {
  return db.query<Invitation>(
    `select ${columns}
     from ${standing}
     where invitations.expires_at > $2
       and invitations.normal_email = (select normal_email from users where users.id = $1)
     order by invitations.id
     limit $3`,
    [userId, now, most],
  )
}

/** Locks an invitation of the user, so that nobody else answers it until the transaction ends. */
export async function lockOfUser(
  tx: Queryable,
  userId: number,
  invitation: { id: number; now: Moment },
): Promise<Invitation | undefined> {
  const rows = await tx.query<Invitation>(
    `select ${columns}
     from ${standing}
     where invitations.id = $2 and invitations.expires_at > $3
       and invitations.normal_email = (select normal_email from users where users.id = $1)
     for update of invitations for share of members`,
    [userId, invitation.id, invitation.now],
  )
  return rows[0]
}

/** Locks an invitation that the organization has sent. */
export async function lockOfOrganization(
  tx: Queryable,
  organizationId: number,
  invitation: { id: number; now: Moment },
): Promise<Invitation | undefined> {
  const rows = await tx.query<Invitation>(
    `select ${columns}
     from ${standing}
     where invitations.organization_id = $1 and invitations.id = $2
       and invitations.expires_at > $3
     for update of invitations`,
    [organizationId, invitation.id, invitation.now],
  )
  return rows[0]
}

export async function setLink(
  tx: Queryable,
  organizationId: number,
  id: number,
  linkHash: Buffer,
): Promise<void> {
  await tx.query('update invitations set link_hash = $3 where organization_id = $1 and id = $2', [
    organizationId,
    id,
    linkHash,
  ])
}

/** The invitation of a link; `locked`, nobody else answers it until the transaction ends. */
export async function findOfLink(
  db: Queryable,
  linkHash: Buffer,
  now: Moment,
  use?: 'locked',
): Promise<Invitation | undefined> {
  const lock = use === 'locked' ? 'for update of invitations for share of members' : ''
  const rows = await db.query<Invitation>(
    `select ${columns}
     from ${standing}
     where invitations.link_hash = $1 and invitations.expires_at > $2
     ${lock}`,
    [linkHash, now],
  )
  return rows[0]
}

/** A page of the invitations that the organization has sent, oldest first. */
export async function listOfOrganization(
  db: Queryable,
  organizationId: number,
  { page, now }: { page: Page; now: Moment },
): Promise<{ total: number; invitations: Invitation[] }> {
  const [count] = await db.query<{ total: number }>(
    `select count(*) as total from ${standing}
     where invitations.organization_id = $1 and invitations.expires_at > $2`,
    [organizationId, now],
  )
  const invitations = await db.query<Invitation>(
    `select ${columns}
     from ${standing}
     where invitations.organization_id = $1 and invitations.expires_at > $2
     order by invitations.id
     limit $3 offset $4`,
    [organizationId, now, page.size, (page.number - 1) * page.size],
  )
  return { total: count?.total ?? 0, invitations }
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<boolean> {
  const rows = await tx.query(
    'delete from invitations where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}

/** Removes the invitation of a person who has become a member. */
export async function removeOfMember(
  tx: Queryable,
  organizationId: number,
  email: string,
): Promise<void> {
  await tx.query(
    `delete from invitations
     where organization_id = $1 and child_name is null and normal_email = $2`,
    [organizationId, normalEmail(email)],
  )
}

export async function removeExpired(db: Queryable, now: Moment): Promise<void> {
  await db.query('delete from invitations where expires_at <= $1', [now])
}

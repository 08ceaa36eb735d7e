import { z } from 'zod'
import { permissions } from '../../../http/endpoint.ts'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { roleOf } from '../../../lora/roles.ts'
import { heldRole } from '../users/role-fields.ts'
import type { Invitation } from './invitation-queries.ts'
import { limitedTo } from './member-record.ts'

const permissionsField = z.array(z.enum(permissions))

/**
 * The answer to an invitation. It tells nothing about the person, not even whether a user has the
 * e-mail.
 */
export const invited = z.object({
  data: z
    .object(
      withExamples(
        { email: z.string(), permissions: permissionsField, status: z.literal('invited') },
        { email: 'bo@example.com', permissions: ['manage_devices'], status: 'invited' },
      ),
    )
    .meta({ id: 'Invited' }),
})

const common = withExamples(
  {
    id: z.int(),
    permissions: permissionsField,
    role: heldRole,
    group: limitedTo,
    /** Accepting creates a child organization, which the person then owns. */
    is_owner: z.boolean(),
    new_organization: z.string().nullable(),
    invited_by: z.string(),
    created_at: z.string(),
    expires_at: z.string(),
  },
  {
    id: 9,
    permissions: ['manage_devices'],
    role: 'installer',
    group: null,
    is_owner: false,
    new_organization: null,
    invited_by: 'ada@example.com',
    created_at: '2026-03-01T08:00:00.000000Z',
    expires_at: '2026-03-15T08:00:00.000000Z',
  },
)

/** An invitation as the invited person sees it. */
export const receivedInvitation = z
  .object({
    ...common,
    organization: z.object(
      withExamples({ id: z.int(), name: z.string() }, { id: 2, name: 'Harbour Cold Storage' }),
    ),
  })
  .meta({ id: 'ReceivedInvitation' })

/** An invitation as the organization that sent it sees it. */
export const sentInvitation = z
  .object({ ...common, ...withExamples({ email: z.string() }, { email: 'bo@example.com' }) })
  .meta({ id: 'SentInvitation' })

export function toReceived(invitation: Invitation): z.infer<typeof receivedInvitation> {
  const { organization_id: id, organization_name: name } = invitation
  return { ...toCommon(invitation), organization: { id, name } }
}

export function toSent(invitation: Invitation): z.infer<typeof sentInvitation> {
  return { ...toCommon(invitation), email: invitation.email }
}

function toCommon(invitation: Invitation) {
  return {
    id: invitation.id,
    permissions: invitation.permissions,
    role: roleOf(invitation.permissions),
    group: invitation.group_id,
    is_owner: invitation.child_name !== null,
    new_organization: invitation.child_name,
    invited_by: invitation.inviter_email,
    created_at: isoTime(invitation.created_at),
    expires_at: isoTime(invitation.expires_at),
  }
}

export const invitationPath = z.object({ id: pathId('9') })

/**
 * 404 for an invitation that does not exist, is for somebody else, has been answered, or is void.
 */
export function invitationNotFound(): HttpError {
  return notFound('Invitation not found')
}

import { deleteOrganization } from './features/child-organizations/delete-organization.ts'
import { getChildOrganization } from './features/child-organizations/get-child-organization.ts'
import { limitOrganization } from './features/child-organizations/limit-organization.ts'
import { listChildOrganizations } from './features/child-organizations/list-child-organizations.ts'
import { listDeletions } from './features/child-organizations/list-deletions.ts'
import { acceptInvitation } from './features/organizations/accept-invitation.ts'
import { addMember } from './features/organizations/add-member.ts'
import { changeMember } from './features/organizations/change-member.ts'
import { changeOrganization } from './features/organizations/change-organization.ts'
import { changeRetention } from './features/organizations/change-retention.ts'
import { changeSecurity } from './features/organizations/change-security.ts'
import { createOrganization } from './features/organizations/create-organization.ts'
import { declineInvitation } from './features/organizations/decline-invitation.ts'
import { endMemberSessions } from './features/organizations/end-member-sessions.ts'
import { leaveOrganization } from './features/organizations/leave-organization.ts'
import { listMembers } from './features/organizations/list-members.ts'
import { listReceivedInvitations } from './features/organizations/list-received-invitations.ts'
import { listSentInvitations } from './features/organizations/list-sent-invitations.ts'
import { removeMember } from './features/organizations/remove-member.ts'
import { showOrganization } from './features/organizations/show-organization.ts'
import { showRetention } from './features/organizations/show-retention.ts'
import { showSecurity } from './features/organizations/show-security.ts'
import { withdrawInvitation } from './features/organizations/withdraw-invitation.ts'
import type { Route } from './http/endpoint.ts'
import type { Services } from './services.ts'

/** The organization, its members and invitations, and the organizations below it. */
// biome-ignore format: a table
export const organizationRoutes: readonly Route<Services>[] = [
  ['GET',    '/organizations',                     'manage_account',  listChildOrganizations],
  ['POST',   '/organizations',                     'manage_account',  createOrganization],
  ['GET',    '/organizations/:id',                 'manage_account',  getChildOrganization],
  ['DELETE', '/organizations/:id',                 'manage_account',  deleteOrganization],
  ['PATCH',  '/organizations/:id/limits',          'manage_account',  limitOrganization],
  ['GET',    '/organization/deletions',            'manage_account',  listDeletions],
  ['GET',    '/organization',                      'signed-in',       showOrganization],
  ['PATCH',  '/organization',                      'manage_account',  changeOrganization],
  ['GET',    '/organization/retention',            'signed-in',       showRetention],
  ['PATCH',  '/organization/retention',            'manage_account',  changeRetention],
  ['GET',    '/organization/security',             'signed-in',       showSecurity],
  ['PATCH',  '/organization/security',             'manage_account',  changeSecurity],
  ['GET',    '/organization/users',                'signed-in',       listMembers],
  ['POST',   '/organization/users',                'manage_account',  addMember],
  ['DELETE', '/organization/users/me',             'signed-in',       leaveOrganization],
  ['PATCH',  '/organization/users/:user_id',       'manage_account',  changeMember],
  ['DELETE', '/organization/users/:user_id',       'manage_account',  removeMember],
  ['DELETE', '/organization/users/:user_id/sessions', 'manage_account', endMemberSessions],
  ['GET',    '/organization/invitations',          'manage_account',  listSentInvitations],
  ['DELETE', '/organization/invitations/:id',      'manage_account',  withdrawInvitation],
  ['GET',    '/user/invitations',                  'token',           listReceivedInvitations],
  ['POST',   '/user/invitations/:id/accept',       'token',           acceptInvitation],
  ['DELETE', '/user/invitations/:id',              'token',           declineInvitation],
]

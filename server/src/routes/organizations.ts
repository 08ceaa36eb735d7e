import { endSubscription } from '../features/billing/end-subscription.ts'
import { setUpSubscription } from '../features/billing/set-up-subscription.ts'
import { deleteOrganization } from '../features/child-organizations/delete-organization.ts'
import { getChildOrganization } from '../features/child-organizations/get-child-organization.ts'
import { limitOrganization } from '../features/child-organizations/limit-organization.ts'
import { listChildOrganizations } from '../features/child-organizations/list-child-organizations.ts'
import { listDeletions } from '../features/child-organizations/list-deletions.ts'
import { acceptInvitation } from '../features/organizations/accept-invitation.ts'
import { addMember } from '../features/organizations/add-member.ts'
import { changeMember } from '../features/organizations/change-member.ts'
import { changeOrganization } from '../features/organizations/change-organization.ts'
import { changeRetention } from '../features/organizations/change-retention.ts'
import { changeSecurity } from '../features/organizations/change-security.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { declineInvitation } from '../features/organizations/decline-invitation.ts'
import { endMemberSessions } from '../features/organizations/end-member-sessions.ts'
import { leaveOrganization } from '../features/organizations/leave-organization.ts'
import { listMembers } from '../features/organizations/list-members.ts'
import { listReceivedInvitations } from '../features/organizations/list-received-invitations.ts'
import { listSentInvitations } from '../features/organizations/list-sent-invitations.ts'
import { removeMember } from '../features/organizations/remove-member.ts'
import { showOrganization } from '../features/organizations/show-organization.ts'
import { showRetention } from '../features/organizations/show-retention.ts'
import { showSecurity } from '../features/organizations/show-security.ts'
import { withdrawInvitation } from '../features/organizations/withdraw-invitation.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** Billing, organizations, members and invitations. */
// biome-ignore format: a table is read by its columns
export const organizationRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Billing', [
    ['POST',   '/subscription', 'manage_account', 'person', 'setUpSubscription', setUpSubscription],
    ['DELETE', '/subscription', 'manage_account', 'person', 'endSubscription',   endSubscription],
  ]),
  ...routesOf<Services>('Organizations', [
    ['GET',    '/organizations',                        'manage_account', 'person',    'listChildOrganizations',     listChildOrganizations],
    ['POST',   '/organizations',                        'manage_account', 'person',    'createOrganization',         createOrganization],
    ['GET',    '/organizations/:id',                    'manage_account', 'person',    'getChildOrganization',       getChildOrganization],
    ['DELETE', '/organizations/:id',                    'manage_account', 'person',    'deleteOrganization',         deleteOrganization],
    ['PATCH',  '/organizations/:id/limits',             'manage_account', 'person',    'updateOrganizationLimits',   limitOrganization],
    ['GET',    '/organization/deletions',               'manage_account', 'person',    'listOrganizationDeletions',  listDeletions],
    ['GET',    '/organization',                         'signed-in',      'all',       'getOrganization',            showOrganization],
    ['PATCH',  '/organization',                         'manage_account', 'person',    'updateOrganization',         changeOrganization],
    ['GET',    '/organization/retention',               'signed-in',      'all',       'getRetention',               showRetention],
    ['PATCH',  '/organization/retention',               'manage_account', 'person',    'updateRetention',            changeRetention],
    ['GET',    '/organization/security',                'signed-in',      'all',       'getOrganizationSecurity',    showSecurity],
    ['PATCH',  '/organization/security',                'manage_account', 'person',    'updateOrganizationSecurity', changeSecurity],
    ['GET',    '/organization/users',                   'signed-in',      'all',       'listMembers',                listMembers],
    ['POST',   '/organization/users',                   'manage_account', 'person',    'addMember',                  addMember],
    ['DELETE', '/organization/users/me',                'signed-in',      'own login', 'leaveOrganization',          leaveOrganization],
    ['PATCH',  '/organization/users/:user_id',          'manage_account', 'person',    'updateMember',               changeMember],
    ['DELETE', '/organization/users/:user_id',          'manage_account', 'person',    'removeMember',               removeMember],
    ['DELETE', '/organization/users/:user_id/sessions', 'manage_account', 'person',    'endMemberSessions',          endMemberSessions],
    ['GET',    '/organization/invitations',             'manage_account', 'person',    'listSentInvitations',        listSentInvitations],
    ['DELETE', '/organization/invitations/:id',         'manage_account', 'person',    'withdrawInvitation',         withdrawInvitation],
  ]),
  ...routesOf<Services>('Authentication', [
    ['GET',    '/user/invitations',            'token', '-', 'listReceivedInvitations', listReceivedInvitations],
    ['POST',   '/user/invitations/:id/accept', 'token', '-', 'acceptInvitation',        acceptInvitation],
    ['DELETE', '/user/invitations/:id',        'token', '-', 'declineInvitation',       declineInvitation],
  ]),
]

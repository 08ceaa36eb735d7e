import { changeMap, showMap } from '../features/operation/map/map-settings.ts'
import { endSubscription, setUpSubscription } from '../features/people/billing/subscription.ts'
import {
  getChildOrganization,
  limitOrganization,
  listChildOrganizations,
} from '../features/people/child-organizations/child-organizations.ts'
import {
  deleteOrganization,
  listDeletions,
} from '../features/people/child-organizations/deletions.ts'
import { passFirstStep, showFirstSteps } from '../features/people/organizations/first-steps.ts'
import { changeFormats, showFormats } from '../features/people/organizations/formats.ts'
import {
  acceptByLink,
  makeInvitationLink,
  showInvitation,
} from '../features/people/organizations/invitation-links.ts'
import {
  acceptInvitation,
  declineInvitation,
  listReceivedInvitations,
  listSentInvitations,
  withdrawInvitation,
} from '../features/people/organizations/invitations.ts'
import {
  addMember,
  changeMember,
  endMemberSessions,
  leaveOrganization,
  listMembers,
  removeMember,
} from '../features/people/organizations/members.ts'
import {
  changeOrganization,
  createOrganization,
  showOrganization,
} from '../features/people/organizations/organization.ts'
import { changeRetention, showRetention } from '../features/people/organizations/retention.ts'
import { changeSecurity, showSecurity } from '../features/people/organizations/security.ts'
import {
  changeVerdictWindow,
  showVerdictWindow,
} from '../features/people/organizations/verdict-window.ts'
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
    ['GET',    '/organization/first-steps',             'signed-in',      'all',       'getFirstSteps',              showFirstSteps],
    ['POST',   '/organization/first-steps',             'manage_account', 'person',    'passFirstStep',              passFirstStep],
    ['GET',    '/organization/verdict',                 'signed-in',      'all',       'getVerdictWindow',           showVerdictWindow],
    ['PATCH',  '/organization/verdict',                 'manage_account', 'person',    'updateVerdictWindow',        changeVerdictWindow],
    ['GET',    '/organization/formats',                 'signed-in',      'all',       'getFormats',                 showFormats],
    ['PATCH',  '/organization/formats',                 'manage_account', 'person',    'updateFormats',              changeFormats],
    ['GET',    '/organization/security',                'signed-in',      'all',       'getOrganizationSecurity',    showSecurity],
    ['PATCH',  '/organization/security',                'manage_account', 'person',    'updateOrganizationSecurity', changeSecurity],
    ['GET',    '/map-settings',                         'manage_account', 'person',    'getMapSettings',             showMap],
    ['PUT',    '/map-settings',                         'manage_account', 'person',    'updateMapSettings',          changeMap],
    ['GET',    '/organization/users',                   'signed-in',      'all',       'listMembers',                listMembers],
    ['POST',   '/organization/users',                   'manage_account', 'person',    'addMember',                  addMember],
    ['DELETE', '/organization/users/me',                'signed-in',      'own login', 'leaveOrganization',          leaveOrganization],
    ['PATCH',  '/organization/users/:user_id',          'manage_account', 'person',    'updateMember',               changeMember],
    ['DELETE', '/organization/users/:user_id',          'manage_account', 'person',    'removeMember',               removeMember],
    ['DELETE', '/organization/users/:user_id/sessions', 'manage_account', 'person',    'endMemberSessions',          endMemberSessions],
    ['GET',    '/organization/invitations',             'manage_account', 'person',    'listSentInvitations',        listSentInvitations],
    ['DELETE', '/organization/invitations/:id',         'manage_account', 'person',    'withdrawInvitation',         withdrawInvitation],
    ['POST',   '/organization/invitations/:id/link',    'manage_account', 'person',    'makeInvitationLink',         makeInvitationLink],
  ]),
  ...routesOf<Services>('Authentication', [
    ['GET',    '/user/invitations',            'token',  '-', 'listReceivedInvitations', listReceivedInvitations],
    ['POST',   '/user/invitations/:id/accept', 'token',  '-', 'acceptInvitation',        acceptInvitation],
    ['DELETE', '/user/invitations/:id',        'token',  '-', 'declineInvitation',       declineInvitation],
    ['POST',   '/auth/invitation',             'public', '-', 'showInvitation',          showInvitation],
    ['POST',   '/auth/invitation/accept',      'public', '-', 'acceptInvitationByLink',  acceptByLink],
  ]),
]

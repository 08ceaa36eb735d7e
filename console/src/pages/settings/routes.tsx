import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./profile/profile-page.tsx')),
      'ProfilePage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/security',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./security/security-page.tsx')),
      'SecurityPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/two-factor',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./security/two-factor-page.tsx')),
      'TwoFactorPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/members',
    validateSearch: searchOf({ search: text, page: integer }),
    component: lazyRouteComponent(
      withTexts('settings', () => import('./members/members-page.tsx')),
      'MembersPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/invitations',
    validateSearch: searchOf({ page: integer }),
    component: lazyRouteComponent(
      withTexts('settings', () => import('./members/invitations-page.tsx')),
      'InvitationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/organization',
    validateSearch: searchOf({ page: integer }),
    component: lazyRouteComponent(
      withTexts('settings', () => import('./organization/organization-page.tsx')),
      'OrganizationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/api-keys',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./api-keys/api-keys-page.tsx')),
      'ApiKeysPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./webhooks/webhooks-page.tsx')),
      'WebhooksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks/$webhook',
    validateSearch: searchOf({ outcome: oneOf('failed'), after: integer }),
    component: lazyRouteComponent(
      withTexts('settings', () => import('./webhooks/webhook-page.tsx')),
      'WebhookPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/billing',
    component: lazyRouteComponent(
      withTexts('settings', () => import('./billing/billing-page.tsx')),
      'BillingPage',
    ),
  }),
] as const

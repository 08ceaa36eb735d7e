import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute, shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/security',
    component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/two-factor',
    component: lazyRouteComponent(() => import('./two-factor-page.tsx'), 'TwoFactorPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/members',
    validateSearch: searchOf({ search: text, page: integer }),
    component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/invitations',
    validateSearch: searchOf({ page: integer }),
    component: lazyRouteComponent(() => import('./invitations-page.tsx'), 'InvitationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/organization',
    validateSearch: searchOf({ page: integer }),
    component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/api-keys',
    component: lazyRouteComponent(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/webhooks/$webhook',
    component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/billing',
    component: lazyRouteComponent(() => import('./billing/billing-page.tsx'), 'BillingPage'),
  }),
] as const

export const loginRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: searchOf({ next: text }),
    component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgotten-password',
    validateSearch: searchOf({ step: oneOf('code') }),
    component: lazyRouteComponent(
      () => import('./forgotten-password-page.tsx'),
      'ForgottenPasswordPage',
    ),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { rootRoute } from '../../router/roots.ts'
import { oneOf, searchOf, text } from '../../router/search.ts'

export const loginRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: searchOf({ next: text }),
    component: lazyRouteComponent(
      withTexts('login', () => import('./login-page.tsx')),
      'LoginPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgotten-password',
    validateSearch: searchOf({ step: oneOf('code') }),
    component: lazyRouteComponent(
      withTexts('login', () => import('./forgotten-password-page.tsx')),
      'ForgottenPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-on',
    component: lazyRouteComponent(() => import('./sign-on-page.tsx'), 'SignOnPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    component: lazyRouteComponent(
      withTexts('login', () => import('./invitation-page.tsx')),
      'InvitationPage',
    ),
  }),
] as const

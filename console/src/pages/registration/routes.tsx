import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, searchOf, text } from '../../router/search.ts'

export const registrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/register',
    validateSearch: searchOf({ network: text, eui: text }),
    component: lazyRouteComponent(
      withTexts('registration', () => import('./register-page.tsx')),
      'RegisterPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/register/$eui',
    component: lazyRouteComponent(
      withTexts('registration', () => import('./arrival-page.tsx')),
      'ArrivalPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/install',
    component: lazyRouteComponent(
      withTexts('registration', () => import('./install-page.tsx')),
      'InstallPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/import',
    validateSearch: searchOf({ job: integer }),
    component: lazyRouteComponent(
      withTexts('registration', () => import('./import-page.tsx')),
      'ImportPage',
    ),
  }),
] as const

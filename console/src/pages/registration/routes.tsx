import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, searchOf, text } from '../../router/search.ts'

export const registrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/register',
    validateSearch: searchOf({ network: text, eui: text }),
    component: lazyRouteComponent(() => import('./register-page.tsx'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/register/$eui',
    component: lazyRouteComponent(() => import('./arrival-page.tsx'), 'ArrivalPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/install',
    component: lazyRouteComponent(() => import('./install-page.tsx'), 'InstallPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/import',
    validateSearch: searchOf({ job: integer }),
    component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'

export const workRoutes = [
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
    path: '/import',
    validateSearch: searchOf({ job: integer }),
    component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    validateSearch: searchOf({ after: integer }),
    component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs/$id',
    validateSearch: searchOf({
      status: oneOf('waiting', 'done', 'failed', 'cancelled'),
      after: integer,
    }),
    component: lazyRouteComponent(() => import('./job-page.tsx'), 'JobPage'),
  }),
] as const

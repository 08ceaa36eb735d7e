import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf } from '../../router/search.ts'

export const jobRoutes = [
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

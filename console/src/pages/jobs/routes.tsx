import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf } from '../../router/search.ts'

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    validateSearch: searchOf({ after: integer }),
    component: lazyRouteComponent(
      withTexts('jobs', () => import('./jobs-page.tsx')),
      'JobsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs/$id',
    validateSearch: searchOf({
      status: oneOf('waiting', 'done', 'failed', 'cancelled'),
      after: integer,
    }),
    component: lazyRouteComponent(
      withTexts('jobs', () => import('./job-page.tsx')),
      'JobPage',
    ),
  }),
] as const

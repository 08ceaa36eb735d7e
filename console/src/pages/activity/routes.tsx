import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, searchOf, text, time } from '../../router/search.ts'

export const activityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/activity',
    validateSearch: searchOf({
      about: text,
      user: integer,
      subject: text,
      outcome: text,
      since: time,
      until: time,
      after: integer,
    }),
    component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
  }),
] as const

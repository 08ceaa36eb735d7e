import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
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
    component: lazyRouteComponent(
      withTexts('activity', () => import('./activity-page.tsx')),
      'ActivityPage',
    ),
  }),
] as const

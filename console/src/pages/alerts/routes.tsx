import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, searchOf, text } from '../../router/search.ts'

export const alertRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts',
    validateSearch: searchOf({
      show: text,
      about: text,
      severity: text,
      assignee: integer,
      rule: integer,
      alert: integer,
      after: integer,
      columns: text,
    }),
    component: lazyRouteComponent(() => import('./alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/rules',
    component: lazyRouteComponent(() => import('./rules-page.tsx'), 'AlertRulesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/channels',
    component: lazyRouteComponent(
      () => import('./channels/channels-page.tsx'),
      'AlertChannelsPage',
    ),
  }),
] as const

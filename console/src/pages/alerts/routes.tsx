import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
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
    component: lazyRouteComponent(
      withTexts('alerts', () => import('./alerts-page.tsx')),
      'AlertsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/rules',
    component: lazyRouteComponent(
      withTexts('alerts', () => import('./rules-page.tsx')),
      'AlertRulesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/channels',
    component: lazyRouteComponent(
      withTexts('alerts', () => import('./channels/channels-page.tsx')),
      'AlertChannelsPage',
    ),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text, time } from '../../router/search.ts'

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/dashboards',
    validateSearch: searchOf({ search: text, show: oneOf('members', 'service', 'deleted') }),
    component: lazyRouteComponent(() => import('./dashboards-page.tsx'), 'DashboardsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/dashboards/$dashboardId',
    validateSearch: searchOf({
      range: oneOf('1h', '6h', '24h', '7d', '30d', '90d', '365d'),
      from: time,
      to: time,
      group: integer,
      device: text,
      edit: oneOf('yes'),
    }),
    component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
  }),
] as const

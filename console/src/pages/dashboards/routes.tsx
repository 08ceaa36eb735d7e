import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { rootRoute, shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text, time } from '../../router/search.ts'

export const dashboardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/dashboards',
    validateSearch: searchOf({ search: text, show: oneOf('members', 'service', 'deleted') }),
    component: lazyRouteComponent(
      withTexts('dashboards', () => import('./dashboards-page.tsx')),
      'DashboardsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/explore',
    validateSearch: searchOf({
      series: text,
      range: oneOf('1h', '6h', '24h', '7d', '30d', '90d', '365d'),
      from: time,
      to: time,
      step: oneOf('5m', '15m', '30m', '1h', '3h', '6h', '12h', '1d', '1w'),
      show: oneOf('lines', 'average'),
      compare: oneOf('yes'),
    }),
    component: lazyRouteComponent(
      withTexts('dashboards', () => import('./explore/explore-page.tsx')),
      'ExplorePage',
    ),
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
    component: lazyRouteComponent(
      withTexts('dashboards', () => import('./dashboard-page.tsx')),
      'DashboardPage',
    ),
  }),
] as const

/** For whoever has a link, without a login. */
export const sharedRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/shared/$token',
    validateSearch: searchOf({ wall: oneOf('yes') }),
    component: lazyRouteComponent(
      withTexts('dashboards', () => import('./shared/shared-page.tsx')),
      'SharedPage',
    ),
  }),
] as const

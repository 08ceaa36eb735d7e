import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rangeSearch } from '../../charts/range.ts'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'
import { gatewaySorts } from './gateway-query.ts'

export const gatewayRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gateways',
    validateSearch: searchOf({
      search: text,
      network: text,
      tag: text,
      status: oneOf('pending', 'active', 'register_error'),
      verdict: oneOf('ok', 'new', 'silent', 'attention'),
      sort: oneOf(...gatewaySorts),
      order: oneOf('asc', 'desc'),
      page: integer,
      view: oneOf('table', 'map'),
      columns: text,
    }),
    component: lazyRouteComponent(
      withTexts('gateways', () => import('./gateways-page.tsx')),
      'GatewaysPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gateways/register',
    validateSearch: searchOf({ network: text }),
    component: lazyRouteComponent(
      withTexts('gateways', () => import('./register-gateway-page.tsx')),
      'RegisterGatewayPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gateways/$gatewayId',
    validateSearch: searchOf({
      ...rangeSearch,
      page: integer,
      tab: oneOf(
        'traffic',
        'uptime',
        'coverage',
        'devices',
        'uplinks',
        'place',
        'logbook',
        'setup',
      ),
    }),
    component: lazyRouteComponent(
      withTexts('gateways', () => import('./gateway-page.tsx')),
      'GatewayPage',
    ),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAccountKey } from '../../accounts/account-key.ts'
import { rangeSearch } from '../../charts/range.ts'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'

/** The steps of the first hour. */
const stepKeys = ['network', 'devices', 'uplinks', 'dashboard', 'alerts', 'people'] as const

export const networkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/start',
    validateSearch: searchOf({ step: oneOf(...stepKeys), network: text }),
    component: lazyRouteComponent(() => import('./start/start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/networks',
    component: lazyRouteComponent(
      withTexts('networks', () => import('./networks-page.tsx')),
      'NetworksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/networks/$key',
    validateSearch: searchOf({
      ...rangeSearch,
      tab: oneOf('connection', 'radio', 'quarantine', 'differences', 'guide'),
      /** Of the account: the name of the parameter is older than the names of accounts. */
      method: readAccountKey,
      /** Of the quarantine. */
      search: text,
      eui: text,
      after: text,
      /** Of the differences. */
      page: integer,
    }),
    component: lazyRouteComponent(
      withTexts('networks', () => import('./network-page.tsx')),
      'NetworkPage',
    ),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rangeSearch } from '../../charts/range.ts'
import { shellRoute } from '../../router/roots.ts'
import { integer, oneOf, searchOf, text } from '../../router/search.ts'

export const networkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/networks',
    component: lazyRouteComponent(() => import('./networks-page.tsx'), 'NetworksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/networks/$key',
    validateSearch: searchOf({
      ...rangeSearch,
      tab: oneOf('connection', 'radio', 'quarantine', 'differences', 'guide'),
      method: oneOf('user_account', 'vendor'),
      /** Of the quarantine. */
      search: text,
      eui: text,
      /** Of the differences. */
      page: integer,
    }),
    component: lazyRouteComponent(() => import('./network-page.tsx'), 'NetworkPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { oneOf, searchOf, text } from '../../router/search.ts'

export const groupRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/groups',
    validateSearch: searchOf({ search: text }),
    component: lazyRouteComponent(
      withTexts('groups', () => import('./groups-page.tsx')),
      'GroupsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/groups/$groupId',
    validateSearch: searchOf({
      tab: oneOf('devices', 'plans', 'logbook', 'subgroups', 'configure'),
      search: text,
    }),
    component: lazyRouteComponent(
      withTexts('groups', () => import('./group-page.tsx')),
      'GroupPage',
    ),
  }),
] as const

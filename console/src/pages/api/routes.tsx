import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { searchOf, text } from '../../router/search.ts'

export const apiRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/api',
    validateSearch: searchOf({ search: text, open: text }),
    component: lazyRouteComponent(
      withTexts('api', () => import('./api-page.tsx')),
      'ApiPage',
    ),
  }),
] as const

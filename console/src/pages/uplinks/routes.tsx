import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const uplinkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/uplinks',
    component: lazyRouteComponent(() => import('./uplinks-page.tsx'), 'UplinksPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const networkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/networks',
    component: lazyRouteComponent(() => import('./networks-page.tsx'), 'NetworksPage'),
  }),
] as const

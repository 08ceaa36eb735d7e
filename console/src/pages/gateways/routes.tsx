import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const gatewayRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gateways',
    component: lazyRouteComponent(() => import('./gateways-page.tsx'), 'GatewaysPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const billingRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/billing',
    component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
  }),
] as const

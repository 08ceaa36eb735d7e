import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const workRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/register',
    component: lazyRouteComponent(() => import('./register-page.tsx'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute, shellRoute } from '../../router/roots.ts'
import { searchOf, text } from '../../router/search.ts'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  }),
] as const

export const loginRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: searchOf({ next: text }),
    component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
  }),
] as const

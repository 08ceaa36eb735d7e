import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../router/roots.ts'

export const galleryRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gallery',
    component: lazyRouteComponent(() => import('./gallery-page.tsx'), 'GalleryPage'),
  }),
] as const

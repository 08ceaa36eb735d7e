import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'

export const galleryRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/gallery',
    component: lazyRouteComponent(
      withTexts('gallery', () => import('./gallery-page.tsx')),
      'GalleryPage',
    ),
  }),
] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from '../../languages/load.ts'
import { shellRoute } from '../../router/roots.ts'
import { oneOf, searchOf, text } from '../../router/search.ts'

export const deviceTypeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types',
    validateSearch: searchOf({
      search: text,
      kind: oneOf('own', 'built_in'),
      configurable: oneOf('yes'),
    }),
    component: lazyRouteComponent(
      withTexts('device-types', () => import('./device-types-page.tsx')),
      'DeviceTypesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types/new',
    component: lazyRouteComponent(
      withTexts('device-types', () => import('./editor/new-type-page.tsx')),
      'NewTypePage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types/import',
    component: lazyRouteComponent(
      withTexts('device-types', () => import('./import/import-page.tsx')),
      'ImportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types/catalogues',
    component: lazyRouteComponent(
      withTexts('device-types', () => import('./catalogues/catalogues-page.tsx')),
      'CataloguesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/device-types/$id',
    validateSearch: searchOf({ frame: text }),
    component: lazyRouteComponent(
      withTexts('device-types', () => import('./device-type-page.tsx')),
      'DeviceTypePage',
    ),
  }),
] as const

import { createRootRoute, createRoute, Outlet, retainSearchParams } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { Shell } from '../shell/shell.tsx'
import { integer, searchOf } from './search.ts'

export const rootRoute = createRootRoute({
  // The organization stays in every address, where the user has several.
  validateSearch: searchOf({ org: integer }),
  search: { middlewares: [retainSearchParams(['org'])] },
  component: Outlet,
  notFoundComponent: NotFoundPage,
})

/** All pages that need a login: inside the frame with the navigation. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
})

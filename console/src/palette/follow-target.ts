import type { AnyRouter } from '@tanstack/react-router'
import type { Target } from './entries.ts'

/** Opens a page of the palette. A page that is gone, as in an old memory, opens the one above. */
export function followTarget(router: AnyRouter, { to, params, search }: Target): void {
  const isThere = to in router.routesByPath
  void router.navigate({
    to: isThere ? to : to.slice(0, Math.max(1, to.indexOf('/', 1))),
    ...(isThere && params ? { params } : {}),
    ...(search ? { search } : {}),
  })
}

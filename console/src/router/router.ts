import { createRouter } from '@tanstack/react-router'
import { basePath } from '../api/client.ts'
import { activityRoutes } from '../pages/activity/routes.tsx'
import { alertRoutes } from '../pages/alerts/routes.tsx'
import { apiRoutes } from '../pages/api/routes.tsx'
import { dashboardRoutes, sharedRoutes } from '../pages/dashboards/routes.tsx'
import { deviceRoutes } from '../pages/device/routes.tsx'
import { deviceTypeRoutes } from '../pages/device-types/routes.tsx'
import { devicesRoutes } from '../pages/devices/routes.tsx'
import { galleryRoutes } from '../pages/gallery/routes.tsx'
import { gatewayRoutes } from '../pages/gateways/routes.tsx'
import { groupRoutes } from '../pages/groups/routes.tsx'
import { jobRoutes } from '../pages/jobs/routes.tsx'
import { loginRoutes } from '../pages/login/routes.tsx'
import { networkRoutes } from '../pages/networks/routes.tsx'
import { overviewRoutes } from '../pages/overview/routes.tsx'
import { registrationRoutes } from '../pages/registration/routes.tsx'
import { reportRoutes } from '../pages/reports/routes.tsx'
import { settingsRoutes } from '../pages/settings/routes.tsx'
import { uplinkRoutes } from '../pages/uplinks/routes.tsx'
import { FailedPage } from '../shell/failed-page.tsx'
import { rootRoute, shellRoute } from './roots.ts'
import { parseSearch, stringifySearch } from './search.ts'

const routeTree = rootRoute.addChildren([
  ...loginRoutes,
  ...sharedRoutes,
  shellRoute.addChildren([
    ...overviewRoutes,
    ...dashboardRoutes,
    ...devicesRoutes,
    ...deviceRoutes,
    ...registrationRoutes,
    ...jobRoutes,
    ...uplinkRoutes,
    ...gatewayRoutes,
    ...groupRoutes,
    ...alertRoutes,
    ...reportRoutes,
    ...networkRoutes,
    ...deviceTypeRoutes,
    ...activityRoutes,
    ...apiRoutes,
    ...galleryRoutes,
    ...settingsRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: basePath || '/',
  parseSearch,
  stringifySearch,
  defaultErrorComponent: FailedPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

/** Asks for the code of the page in the address at once, while it waits for the session. */
export function preloadPage(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) {
    router.loadRouteChunk(route)?.catch(() => undefined)
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

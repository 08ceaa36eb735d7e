import type { Route } from './http/endpoint.ts'
import { contractRoutes } from './routes/contract.ts'
import { dashboardRoutes } from './routes/dashboards.ts'
import { fleetRoutes } from './routes/fleet.ts'
import { gatewayRoutes } from './routes/gateways.ts'
import { integrationRoutes } from './routes/integrations.ts'
import { networkRoutes } from './routes/networks.ts'
import { organizationRoutes } from './routes/organizations.ts'
import { planRoutes } from './routes/plans.ts'
import type { Services } from './services.ts'

/** All routes of the API, below its base path, in the order of the API reference. */
export const routes: readonly Route<Services>[] = [
  ...contractRoutes.map((route) => ({ ...route, refusesUnknownQuery: false })),
  ...fleetRoutes,
  ...networkRoutes,
  ...dashboardRoutes,
  ...planRoutes,
  ...gatewayRoutes,
  ...integrationRoutes,
  ...organizationRoutes,
]

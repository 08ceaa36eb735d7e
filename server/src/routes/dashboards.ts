import {
  changeDashboard,
  copyDashboard,
  createDashboard,
  deleteDashboard,
  listDashboards,
  restoreDashboard,
  showDashboard,
  showDashboardSchema,
} from '../features/insight/dashboards/dashboards.ts'
import { listMeasured } from '../features/insight/dashboards/list-measured.ts'
import { readWidgets } from '../features/insight/dashboards/widget-data.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** What members put together to look at. */
// biome-ignore format: a table is read by its columns
export const dashboardRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Dashboards', [
    ['GET',    '/dashboards',                       'signed-in',               'kept',       'listDashboards',      listDashboards],
    ['POST',   '/dashboards',                       'manage_widget_dashboard', 'kept',       'createDashboard',     createDashboard],
    ['GET',    '/dashboards/schema',                'signed-in',               'no devices', 'getDashboardSchema',  showDashboardSchema],
    ['GET',    '/dashboards/measured',              'signed-in',               'kept',       'listMeasured',        listMeasured],
    ['POST',   '/dashboards/data',                  'signed-in',               'kept',       'readDashboardData',   readWidgets],
    ['GET',    '/dashboards/:dashboard_id',         'signed-in',               'kept',       'getDashboard',        showDashboard],
    ['PATCH',  '/dashboards/:dashboard_id',         'manage_widget_dashboard', 'kept',       'updateDashboard',     changeDashboard],
    ['DELETE', '/dashboards/:dashboard_id',         'manage_widget_dashboard', 'kept',       'deleteDashboard',     deleteDashboard],
    ['POST',   '/dashboards/:dashboard_id/copy',    'manage_widget_dashboard', 'kept',       'copyDashboard',       copyDashboard],
    ['POST',   '/dashboards/:dashboard_id/restore', 'manage_widget_dashboard', 'kept',       'restoreDashboard',    restoreDashboard],
  ]),
]

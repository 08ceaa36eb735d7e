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
import { readWidgets } from '../features/insight/dashboards/read-widgets.ts'
import {
  createDashboardLink,
  deleteDashboardLink,
  listDashboardLinks,
} from '../features/insight/links/links.ts'
import {
  readShared,
  showShared,
  showSharedPlan,
  unlockShared,
} from '../features/insight/links/shared-dashboards.ts'
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
    ['GET',    '/dashboards/:dashboard_id/links',   'manage_widget_dashboard', 'all',        'listDashboardLinks',  listDashboardLinks],
    ['POST',   '/dashboards/:dashboard_id/links',   'manage_widget_dashboard', 'all',        'createDashboardLink', createDashboardLink],
    ['DELETE', '/dashboards/:dashboard_id/links/:link_id', 'manage_widget_dashboard', 'all',  'deleteDashboardLink', deleteDashboardLink],
    ['GET',    '/shared-dashboards/:token',         'public',                  '-',          'getSharedDashboards', showShared],
    ['POST',   '/shared-dashboards/:token/data',    'public',                  '-',          'readSharedData',      readShared],
    ['GET',    '/shared-dashboards/:token/plans/:plan', 'public',             '-',          'getSharedPlanImage',  showSharedPlan],
    ['POST',   '/shared-dashboards/:token/pass',    'public',                  '-',          'unlockSharedDashboards', unlockShared],
  ]),
]

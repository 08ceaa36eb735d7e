import {
  listFleetGateways,
  placeGateway,
  showFleetGateway,
} from '../features/fleet/gateways/fleet-gateways.ts'
import {
  changeGroup,
  changeGroupDevices,
  listGroupStates,
  showGroupState,
} from '../features/fleet/groups/fleet-groups.ts'
import { configureGroup } from '../features/fleet/jobs/configure-group.ts'
import { exportJobRows, listJobRows } from '../features/fleet/jobs/job-rows.ts'
import {
  appendRows,
  cancelJob,
  createJob,
  getJob,
  listJobs,
  startJob,
} from '../features/fleet/jobs/jobs.ts'
import { repairRows } from '../features/fleet/jobs/repair-rows.ts'
import { showCoverage, showGatewayRadio } from '../features/insight/coverage/coverage.ts'
import {
  exportGatewayUptime,
  showGatewayUptime,
} from '../features/insight/coverage/gateway-uptime.ts'
import { listCoveredDevices } from '../features/insight/coverage/list-covered-devices.ts'
import { listSoleDevices } from '../features/insight/coverage/list-sole-devices.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { listHeardDevices } from '../uplinks/read/list-heard-devices.ts'
import { listHeardUplinks } from '../uplinks/read/list-heard-uplinks.ts'

/** Gateways, coverage, groups, and jobs. */
// biome-ignore format: a table is read by its columns
export const gatewayRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Gateways', [
    ['GET',   '/fleet/gateways',                     'signed-in',       'all', 'listFleetGateways',  listFleetGateways],
    ['GET',   '/fleet/gateways/:gateway_id',         'signed-in',       'all', 'getFleetGateway',    showFleetGateway],
    ['PATCH', '/fleet/gateways/:gateway_id',         'manage_gateways', 'all', 'updateFleetGateway', placeGateway],
    ['GET',   '/fleet/gateways/:gateway_id/uptime',  'signed-in',       'all', 'getGatewayUptime',   showGatewayUptime],
    ['GET',   '/fleet/gateways/uptime/export',       'signed-in',       'all', 'exportGatewayUptime', exportGatewayUptime],
    ['GET',   '/fleet/gateways/:gateway_id/devices', 'signed-in',       'all', 'listHeardDevices',   listHeardDevices],
    ['GET',   '/fleet/gateways/:gateway_id/uplinks', 'signed-in',       'all', 'listHeardUplinks',   listHeardUplinks],
  ]),
  ...routesOf<Services>('Coverage', [
    ['GET', '/fleet/gateways/:gateway_id/radio',        'signed-in', 'all',      'getGatewayRadio',    showGatewayRadio],
    ['GET', '/fleet/gateways/:gateway_id/sole-devices', 'signed-in', 'all',      'listSoleDevices',    listSoleDevices],
    ['GET', '/fleet/coverage',                          'signed-in', 'by group', 'getCoverage',        showCoverage],
    ['GET', '/fleet/coverage/devices',                  'signed-in', 'by group', 'listCoveredDevices', listCoveredDevices],
  ]),
  ...routesOf<Services>('Groups', [
    ['GET',   '/fleet/groups',                     'signed-in',      'group tree', 'listGroupStates',    listGroupStates],
    ['GET',   '/fleet/groups/:group_id',           'signed-in',      'one group', 'getGroupState',      showGroupState],
    ['PATCH', '/fleet/groups/:group_id',           'manage_groups',  'all',       'updateFleetGroup',   changeGroup],
    ['POST',  '/fleet/groups/:group_id/devices',   'manage_groups',  'all',       'updateGroupDevices', changeGroupDevices],
    ['POST',  '/fleet/groups/:group_id/configure', 'manage_devices', 'all',       'configureGroup',     configureGroup],
  ]),
  ...routesOf<Services>('Jobs', [
    ['GET',    '/jobs',                  'signed-in',      'all', 'listJobs',      listJobs],
    ['POST',   '/jobs',                  'manage_devices', 'all', 'createJob',     createJob],
    ['GET',    '/jobs/:job_id',          'signed-in',      'all', 'getJob',        getJob],
    ['DELETE', '/jobs/:job_id',          'manage_devices', 'all', 'cancelJob',     cancelJob],
    ['POST',   '/jobs/:job_id/start',    'manage_devices', 'all', 'startJob',      startJob],
    ['GET',    '/jobs/:job_id/rows',     'signed-in',      'all', 'listJobRows',   listJobRows],
    ['POST',   '/jobs/:job_id/rows',     'manage_devices', 'all', 'appendJobRows', appendRows],
    ['PATCH',  '/jobs/:job_id/rows',     'manage_devices', 'all', 'repairJobRows', repairRows],
    ['GET',    '/jobs/:job_id/rows/csv', 'signed-in',      'all', 'exportJobRows', exportJobRows],
  ]),
]

import { listCoveredDevices } from '../features/coverage/list-covered-devices.ts'
import { listSoleDevices } from '../features/coverage/list-sole-devices.ts'
import { showCoverage } from '../features/coverage/show-coverage.ts'
import { showGatewayRadio } from '../features/coverage/show-gateway-radio.ts'
import { listFleetGateways } from '../features/gateways/list-fleet-gateways.ts'
import { placeGateway } from '../features/gateways/place-gateway.ts'
import { showFleetGateway } from '../features/gateways/show-fleet-gateway.ts'
import { changeGroup } from '../features/groups/change-group.ts'
import { changeGroupDevices } from '../features/groups/change-group-devices.ts'
import { listGroupStates } from '../features/groups/list-group-states.ts'
import { showGroupState } from '../features/groups/show-group-state.ts'
import { appendRows } from '../features/jobs/append-rows.ts'
import { cancelJob } from '../features/jobs/cancel-job.ts'
import { configureGroup } from '../features/jobs/configure-group.ts'
import { createJob } from '../features/jobs/create-job.ts'
import { exportJobRows } from '../features/jobs/export-job-rows.ts'
import { getJob } from '../features/jobs/get-job.ts'
import { listJobRows } from '../features/jobs/list-job-rows.ts'
import { listJobs } from '../features/jobs/list-jobs.ts'
import { repairRows } from '../features/jobs/repair-rows.ts'
import { startJob } from '../features/jobs/start-job.ts'
import { listHeardDevices } from '../features/uplinks/list-heard-devices.ts'
import { listHeardUplinks } from '../features/uplinks/list-heard-uplinks.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** Gateways, coverage, groups, and jobs. */
// biome-ignore format: a table is read by its columns
export const gatewayRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Gateways', [
    ['GET',   '/fleet/gateways',                     'signed-in',       'all', 'listFleetGateways',  listFleetGateways],
    ['GET',   '/fleet/gateways/:gateway_id',         'signed-in',       'all', 'getFleetGateway',    showFleetGateway],
    ['PATCH', '/fleet/gateways/:gateway_id',         'manage_gateways', 'all', 'updateFleetGateway', placeGateway],
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
    ['GET',   '/fleet/groups',                     'signed-in',      'kept',      'listGroupStates',    listGroupStates],
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

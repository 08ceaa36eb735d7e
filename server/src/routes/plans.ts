import { deviceNotes, gatewayNotes, groupNotes, listNotes } from '../features/fleet/notes/notes.ts'
import { placeGatewayOnPlan, takeGatewayFromPlan } from '../features/insight/plans/plan-gateways.ts'
import {
  changePlan,
  createPlan,
  deletePlan,
  listPlans,
  placeOnPlan,
  showPlan,
  showPlanImage,
  takeFromPlan,
} from '../features/insight/plans/plans.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** Floor plans of groups, where devices are on them, and what was noted when. */
// biome-ignore format: a table is read by its columns
export const planRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Floor plans', [
    ['GET',    '/floor-plans',                            'signed-in',               'group tree', 'listFloorPlans',      listPlans],
    ['POST',   '/floor-plans',                            'manage_widget_dashboard', 'all',        'createFloorPlan',     createPlan],
    ['GET',    '/floor-plans/:plan_id',                   'signed-in',               'group tree', 'getFloorPlan',        showPlan],
    ['PATCH',  '/floor-plans/:plan_id',                   'manage_widget_dashboard', 'all',        'updateFloorPlan',     changePlan],
    ['DELETE', '/floor-plans/:plan_id',                   'manage_widget_dashboard', 'all',        'deleteFloorPlan',     deletePlan],
    ['GET',    '/floor-plans/:plan_id/image',             'signed-in',               'group tree', 'getFloorPlanImage',   showPlanImage],
    ['PUT',    '/floor-plans/:plan_id/devices/:device_id', 'manage_devices',         'one device', 'placeOnFloorPlan',    placeOnPlan],
    ['DELETE', '/floor-plans/:plan_id/devices/:device_id', 'manage_devices',         'one device', 'takeFromFloorPlan',   takeFromPlan],
    ['PUT',    '/floor-plans/:plan_id/gateways/:gateway_id', 'manage_gateways',      'all',        'placeGatewayOnFloorPlan',  placeGatewayOnPlan],
    ['DELETE', '/floor-plans/:plan_id/gateways/:gateway_id', 'manage_gateways',      'all',        'takeGatewayFromFloorPlan', takeGatewayFromPlan],
  ]),
  ...routesOf<Services>('Notes', [
    ['GET',    '/notes',                                    'signed-in',       'kept',       'listNotes',         listNotes],
    ['POST',   '/devices/:device_id/notes',                 'manage_devices',  'one device', 'addDeviceNote',     deviceNotes.create],
    ['PATCH',  '/devices/:device_id/notes/:note_id',        'manage_devices',  'one device', 'updateDeviceNote',  deviceNotes.change],
    ['DELETE', '/devices/:device_id/notes/:note_id',        'manage_devices',  'one device', 'deleteDeviceNote',  deviceNotes.remove],
    ['POST',   '/gateways/:gateway_id/notes',               'manage_gateways', 'all',        'addGatewayNote',    gatewayNotes.create],
    ['PATCH',  '/gateways/:gateway_id/notes/:note_id',      'manage_gateways', 'all',        'updateGatewayNote', gatewayNotes.change],
    ['DELETE', '/gateways/:gateway_id/notes/:note_id',      'manage_gateways', 'all',        'deleteGatewayNote', gatewayNotes.remove],
    ['POST',   '/fleet/groups/:group_id/notes',             'manage_groups',   'one group',  'addGroupNote',      groupNotes.create],
    ['PATCH',  '/fleet/groups/:group_id/notes/:note_id',    'manage_groups',   'one group',  'updateGroupNote',   groupNotes.change],
    ['DELETE', '/fleet/groups/:group_id/notes/:note_id',    'manage_groups',   'one group',  'deleteGroupNote',   groupNotes.remove],
  ]),
]

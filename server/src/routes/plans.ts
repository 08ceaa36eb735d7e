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

/** Floor plans of groups, and where devices are on them. */
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
  ]),
]

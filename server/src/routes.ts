import { downlinkRoutes } from './downlink-routes.ts'
import { exportActivity, exportActivityLines } from './features/activity/export-activity.ts'
import { listActivity } from './features/activity/list-activity.ts'
import { verifyActivity } from './features/activity/verify-activity.ts'
import { changePassword } from './features/auth/change-password.ts'
import { changeUser } from './features/auth/change-user.ts'
import { confirmPasswordReset } from './features/auth/confirm-password-reset.ts'
import { endBrowserSession } from './features/auth/end-browser-session.ts'
import { openBrowserSession } from './features/auth/open-browser-session.ts'
import { renewBrowserSession } from './features/auth/renew-browser-session.ts'
import { requestPasswordReset } from './features/auth/request-password-reset.ts'
import { showSession } from './features/auth/show-session.ts'
import { endSubscription } from './features/billing/end-subscription.ts'
import { setUpSubscription } from './features/billing/set-up-subscription.ts'
import { showBilling } from './features/billing/show-billing.ts'
import {
  answerHealthCheck,
  receiveCallback,
  receiveNamedCallback,
} from './features/callbacks/receive-callback.ts'
import { receiveGatewayMessage } from './features/callbacks/receive-gateway-message.ts'
import { listCoveredDevices } from './features/coverage/list-covered-devices.ts'
import { listSoleDevices } from './features/coverage/list-sole-devices.ts'
import { showCoverage } from './features/coverage/show-coverage.ts'
import { showGatewayRadio } from './features/coverage/show-gateway-radio.ts'
import { showAirtime } from './features/device-health/show-airtime.ts'
import { showBattery } from './features/device-health/show-battery.ts'
import { showRadio } from './features/device-health/show-radio.ts'
import { showArrival } from './features/device-page/show-arrival.ts'
import { showFleetDevice } from './features/device-page/show-fleet-device.ts'
import { createDeviceType } from './features/device-types/create-device-type.ts'
import { decodeTypeAgain } from './features/device-types/decode-again.ts'
import { deleteDeviceType } from './features/device-types/delete-device-type.ts'
import { getDeviceType } from './features/device-types/get-device-type.ts'
import { listCustomTypes } from './features/device-types/list-custom-types.ts'
import { tryCodec } from './features/device-types/try-codec.ts'
import { tryDraft } from './features/device-types/try-draft.ts'
import { updateDeviceType } from './features/device-types/update-device-type.ts'
import { exportFleetDevices } from './features/devices/export-fleet-devices.ts'
import { listFleetDeviceIds } from './features/devices/list-fleet-device-ids.ts'
import { listFleetDevices } from './features/devices/list-fleet-devices.ts'
import { replaceVariables } from './features/devices/replace-variables.ts'
import { showVariables } from './features/devices/show-variables.ts'
import { explainFrame } from './features/frames/explain-frame.ts'
import { showUplinkFrame } from './features/frames/show-uplink-frame.ts'
import { listFleetGateways } from './features/gateways/list-fleet-gateways.ts'
import { placeGateway } from './features/gateways/place-gateway.ts'
import { showFleetGateway } from './features/gateways/show-fleet-gateway.ts'
import { changeGroup } from './features/groups/change-group.ts'
import { changeGroupDevices } from './features/groups/change-group-devices.ts'
import { listGroupStates } from './features/groups/list-group-states.ts'
import { showGroupState } from './features/groups/show-group-state.ts'
import { appendRows } from './features/jobs/append-rows.ts'
import { cancelJob } from './features/jobs/cancel-job.ts'
import { configureGroup } from './features/jobs/configure-group.ts'
import { createJob } from './features/jobs/create-job.ts'
import { exportJobRows } from './features/jobs/export-job-rows.ts'
import { getJob } from './features/jobs/get-job.ts'
import { listJobRows } from './features/jobs/list-job-rows.ts'
import { listJobs } from './features/jobs/list-jobs.ts'
import { repairRows } from './features/jobs/repair-rows.ts'
import { startJob } from './features/jobs/start-job.ts'
import { followEvents } from './features/live/follow-events.ts'
import { listCatalogue } from './features/lookups/list-catalogue.ts'
import { showCatalogueType } from './features/lookups/show-catalogue-type.ts'
import { checkNetworkAccount } from './features/network-accounts/check-network-account.ts'
import { deleteNetworkAccount } from './features/network-accounts/delete-network-account.ts'
import { listFleetNetworks } from './features/network-accounts/list-fleet-networks.ts'
import { listNetworkAccounts } from './features/network-accounts/list-network-accounts.ts'
import { rotateCallbackSecret } from './features/network-accounts/rotate-callback-secret.ts'
import { setAccountProfiles } from './features/network-accounts/set-account-profiles.ts'
import { setNetworkAccount } from './features/network-accounts/set-network-account.ts'
import { showAccountProfiles } from './features/network-accounts/show-account-profiles.ts'
import { showNetworkAccount } from './features/network-accounts/show-network-account.ts'
import { changePreferences } from './features/organizations/change-preferences.ts'
import { replacePreferences } from './features/organizations/replace-preferences.ts'
import { showPreferences } from './features/organizations/show-preferences.ts'
import { showSummary } from './features/overview/show-summary.ts'
import { dropQuarantined } from './features/quarantine/drop-quarantined.ts'
import { listQuarantine } from './features/quarantine/list-quarantine.ts'
import { showQuarantined } from './features/quarantine/show-quarantined.ts'
import { reconcileNetwork } from './features/reconciliation/reconcile-network.ts'
import { showReconciliation } from './features/reconciliation/show-reconciliation.ts'
import { endOtherSessions } from './features/sessions/end-other-sessions.ts'
import { endSession } from './features/sessions/end-session.ts'
import { listSessions } from './features/sessions/list-sessions.ts'
import {
  exportFleetUplinkLines,
  exportFleetUplinks,
} from './features/uplinks/export-fleet-uplinks.ts'
import { listFleetUplinks } from './features/uplinks/list-fleet-uplinks.ts'
import { listHeardDevices } from './features/uplinks/list-heard-devices.ts'
import { listHeardUplinks } from './features/uplinks/list-heard-uplinks.ts'
import { showMeasurements } from './features/uplinks/show-measurements.ts'
import type { Route } from './http/endpoint.ts'
import { integrationRoutes } from './integration-routes.ts'
import { organizationRoutes } from './organization-routes.ts'
import type { Services } from './services.ts'
import { specRoutes } from './spec-routes.ts'

/** What is beyond the contract: a parameter of the query that is unknown there is 422. */
// biome-ignore format: a table is read by its columns
const furtherRoutes: readonly Route<Services>[] = [
  ['POST',   '/auth/session',                      'public',          openBrowserSession],
  ['GET',    '/auth/session',                      'token',           showSession],
  ['PUT',    '/auth/session',                      'token',           renewBrowserSession],
  ['DELETE', '/auth/session',                      'public',          endBrowserSession],
  ['POST',   '/auth/password-reset',               'public',          requestPasswordReset],
  ['POST',   '/auth/password-reset/confirm',       'public',          confirmPasswordReset],
  ['PATCH',  '/user',                              'token',           changeUser],
  ['GET',    '/user/preferences',                  'signed-in',       showPreferences],
  ['PUT',    '/user/preferences',                  'signed-in',       replacePreferences],
  ['PATCH',  '/user/preferences',                  'signed-in',       changePreferences],
  ['POST',   '/user/password',                     'signed-in',       changePassword],
  ['GET',    '/user/sessions',                     'signed-in',       listSessions],
  ['DELETE', '/user/sessions',                     'signed-in',       endOtherSessions],
  ['DELETE', '/user/sessions/:session_id',         'signed-in',       endSession],

  ['GET',    '/fleet/summary',                     'signed-in',       showSummary],
  ['GET',    '/fleet/uplinks',                     'signed-in',       listFleetUplinks],
  ['GET',    '/fleet/uplinks/export',              'signed-in',       exportFleetUplinks],
  ['GET',    '/fleet/uplinks/lines',               'signed-in',       exportFleetUplinkLines],
  ['GET',    '/events',                            'signed-in',       followEvents],

  ['GET',    '/fleet/devices',                     'signed-in',       listFleetDevices],
  ['GET',    '/fleet/devices/ids',                 'signed-in',       listFleetDeviceIds],
  ['GET',    '/fleet/devices/export',              'signed-in',       exportFleetDevices],
  ['GET',    '/fleet/devices/:device_id',          'signed-in',       showFleetDevice],
  ['GET',    '/fleet/activity',                    'signed-in',       listActivity],
  ['GET',    '/fleet/activity/export',             'signed-in',       exportActivity],
  ['GET',    '/fleet/activity/lines',              'signed-in',       exportActivityLines],
  ['GET',    '/fleet/activity/verification',       'signed-in',       verifyActivity],
  ['GET',    '/fleet/devices/:device_id/arrival',  'signed-in',       showArrival],
  ['GET',    '/fleet/billing',                     'signed-in',       showBilling],

  ...downlinkRoutes,

  ['GET',    '/network-accounts',                  'signed-in',       listNetworkAccounts],
  ['GET',    '/network-accounts/:network',         'signed-in',       showNetworkAccount],
  ['PUT',    '/network-accounts/:network',         'manage_account',  setNetworkAccount],
  ['DELETE', '/network-accounts/:network',         'manage_account',  deleteNetworkAccount],
  ['POST',   '/network-accounts/:network/rotate',  'manage_account',  rotateCallbackSecret],
  ['POST',   '/network-accounts/:network/check',   'manage_account',  checkNetworkAccount],
  ['GET',    '/network-accounts/:network/profiles', 'signed-in',      showAccountProfiles],
  ['PUT',    '/network-accounts/:network/profiles', 'manage_account', setAccountProfiles],
  ['GET',    '/network-accounts/:network/quarantine', 'signed-in',    listQuarantine],
  ['GET',    '/network-accounts/:network/quarantine/:eui', 'signed-in', showQuarantined],
  ['DELETE', '/network-accounts/:network/quarantine/:eui', 'manage_account', dropQuarantined],
  ['GET',    '/fleet/networks',                    'signed-in',       listFleetNetworks],
  ['GET',    '/network-accounts/:network/reconcile', 'signed-in',     showReconciliation],
  ['POST',   '/network-accounts/:network/reconcile', 'manage_account', reconcileNetwork],
  ['POST',   '/callbacks/:network/:account',       'public',          receiveCallback],
  ['POST',   '/callbacks/:network/:account/:event', 'public',         receiveNamedCallback],
  ['OPTIONS', '/callbacks/:network/:account',      'public',          answerHealthCheck],
  ['POST',   '/callbacks/other/:gateway',          'public',          receiveGatewayMessage],

  ['GET',    '/device-types',                      'signed-in',       listCustomTypes],
  ['POST',   '/device-types',                      'manage_devices',  createDeviceType],
  ['GET',    '/device-types/:id',                  'signed-in',       getDeviceType],
  ['PATCH',  '/device-types/:id',                  'manage_devices',  updateDeviceType],
  ['DELETE', '/device-types/:id',                  'manage_devices',  deleteDeviceType],
  ['POST',   '/device-types/:id/try',              'manage_devices',  tryCodec],
  ['POST',   '/device-types/:id/decode-again',     'manage_devices',  decodeTypeAgain],
  ['POST',   '/device-types/try',                  'manage_devices',  tryDraft],
  ['GET',    '/catalogue',                         'signed-in',       listCatalogue],
  ['GET',    '/catalogue/:id',                     'signed-in',       showCatalogueType],
  ['GET',    '/devices/:device_id/measurements',   'signed-in',       showMeasurements],
  ['GET',    '/devices/:device_id/radio',          'signed-in',       showRadio],
  ['GET',    '/devices/:device_id/battery',        'signed-in',       showBattery],
  ['GET',    '/devices/:device_id/airtime',        'signed-in',       showAirtime],
  ['GET',    '/devices/:device_id/variables',      'manage_devices',  showVariables],
  ['PUT',    '/devices/:device_id/variables',      'manage_devices',  replaceVariables],

  ['POST',   '/frames/explain',                    'signed-in',       explainFrame],
  ['GET',    '/devices/:device_id/uplinks/:uplink_id/frame', 'signed-in', showUplinkFrame],

  ['GET',    '/fleet/gateways',                    'signed-in',       listFleetGateways],
  ['GET',    '/fleet/gateways/:gateway_id',        'signed-in',       showFleetGateway],
  ['PATCH',  '/fleet/gateways/:gateway_id',        'manage_gateways', placeGateway],
  ['GET',    '/fleet/gateways/:gateway_id/devices', 'signed-in',      listHeardDevices],
  ['GET',    '/fleet/gateways/:gateway_id/uplinks', 'signed-in',      listHeardUplinks],
  ['GET',    '/fleet/gateways/:gateway_id/radio',  'signed-in',       showGatewayRadio],
  ['GET',    '/fleet/gateways/:gateway_id/sole-devices', 'signed-in', listSoleDevices],
  ['GET',    '/fleet/coverage',                    'signed-in',       showCoverage],
  ['GET',    '/fleet/coverage/devices',            'signed-in',       listCoveredDevices],

  ['GET',    '/fleet/groups',                      'signed-in',       listGroupStates],
  ['GET',    '/fleet/groups/:group_id',            'signed-in',       showGroupState],
  ['PATCH',  '/fleet/groups/:group_id',            'manage_groups',   changeGroup],
  ['POST',   '/fleet/groups/:group_id/devices',    'manage_groups',   changeGroupDevices],
  ['POST',   '/fleet/groups/:group_id/configure',  'manage_devices',  configureGroup],

  ['GET',    '/jobs',                              'signed-in',       listJobs],
  ['POST',   '/jobs',                              'manage_devices',  createJob],
  ['GET',    '/jobs/:job_id',                      'signed-in',       getJob],
  ['DELETE', '/jobs/:job_id',                      'manage_devices',  cancelJob],
  ['POST',   '/jobs/:job_id/start',                'manage_devices',  startJob],
  ['GET',    '/jobs/:job_id/rows',                 'signed-in',       listJobRows],
  ['POST',   '/jobs/:job_id/rows',                 'manage_devices',  appendRows],
  ['PATCH',  '/jobs/:job_id/rows',                 'manage_devices',  repairRows],
  ['GET',    '/jobs/:job_id/rows/csv',             'signed-in',       exportJobRows],

  ...integrationRoutes,

  ['POST',   '/subscription',                      'manage_account',  setUpSubscription],
  ['DELETE', '/subscription',                      'manage_account',  endSubscription],

  ...organizationRoutes,
]

export const routes: readonly Route<Services>[] = [...specRoutes, ...furtherRoutes]

const further = new Set(furtherRoutes)

/** The contract's own endpoints, and those that networks call, ignore unknown parameters. */
export function refusesUnknownQuery(route: Route<Services>): boolean {
  return further.has(route) && route[3].kind === 'member'
}

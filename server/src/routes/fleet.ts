import { cancelChosenDownlink } from '../features/downlinks/cancel-chosen-downlink.ts'
import { previewConfiguration } from '../features/downlinks/configure-device.ts'
import { listDownlinks, listFleetDownlinks } from '../features/downlinks/list-downlinks.ts'
import { sendRawDownlink } from '../features/downlinks/send-raw-downlink.ts'
import { showConfigurationFields } from '../features/downlinks/show-configuration-fields.ts'
import { showArrival } from '../features/fleet/device-page/show-arrival.ts'
import { showFleetDevice } from '../features/fleet/device-page/show-fleet-device.ts'
import { showSilence } from '../features/fleet/device-page/show-silence.ts'
import {
  exportFleetDevices,
  listFleetDeviceIds,
  listFleetDevices,
} from '../features/fleet/devices/fleet-devices.ts'
import { listDevicePlaces } from '../features/fleet/devices/list-device-places.ts'
import { listTags } from '../features/fleet/lookups/list-tags.ts'
import { cancelMove, getMove, listMoves, moveDevice } from '../features/fleet/moves/moves.ts'
import { showSummary } from '../features/insight/overview/show-summary.ts'
import { followEvents } from '../features/outgoing/live/follow-events.ts'
import { exportActivity, exportActivityLines } from '../features/people/activity/export-activity.ts'
import { listActivity } from '../features/people/activity/list-activity.ts'
import { verifyActivity } from '../features/people/activity/verify-activity.ts'
import {
  endBrowserSession,
  openBrowserSession,
  renewBrowserSession,
  showSession,
} from '../features/people/auth/browser-session.ts'
import { changePassword, changeUser } from '../features/people/auth/own-user.ts'
import {
  confirmPasswordReset,
  requestPasswordReset,
} from '../features/people/auth/password-reset.ts'
import { showBilling } from '../features/people/billing/show-billing.ts'
import {
  changePreferences,
  replacePreferences,
  showPreferences,
} from '../features/people/organizations/preferences.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
} from '../features/people/sessions/own-sessions.ts'
import {
  beginSignOn,
  endSignOn,
  finishSignOn,
  showSignOn,
} from '../features/people/sign-on/sign-on.ts'
import { giveSignOnCode } from '../features/people/sign-on/sign-on-code.ts'
import { makePasskeyRequest } from '../features/people/two-factor/passkey-request.ts'
import {
  addPasskey,
  beginPasskey,
  changePasskey,
  listPasskeys,
  removePasskey,
} from '../features/people/two-factor/passkeys.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { exportFleetUplinkLines, exportFleetUplinks } from '../uplinks/read/export-fleet-uplinks.ts'
import { listFleetUplinks } from '../uplinks/read/list-fleet-uplinks.ts'

/** Sign-in of browsers, the fleet as the console shows it, live events, downlinks and moves. */
// biome-ignore format: a table is read by its columns
export const fleetRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Authentication', [
    ['POST',   '/auth/session',                'public',    '-',         'openBrowserSession',   openBrowserSession],
    ['GET',    '/auth/session',                'token',     '-',         'getSession',           showSession],
    ['PUT',    '/auth/session',                'token',     '-',         'renewBrowserSession',  renewBrowserSession],
    ['DELETE', '/auth/session',                'public',    '-',         'endBrowserSession',    endBrowserSession],
    ['GET',    '/auth/sign-on',                'public',    '-',         'getSignOn',            showSignOn],
    ['POST',   '/auth/sign-on',                'public',    '-',         'beginSignOn',          beginSignOn],
    ['DELETE', '/auth/sign-on',                'public',    '-',         'endSignOn',            endSignOn],
    ['POST',   '/auth/sign-on/finish',         'public',    '-',         'finishSignOn',         finishSignOn],
    ['POST',   '/auth/sign-on/code',           'public',    '-',         'giveSignOnCode',       giveSignOnCode],
    ['POST',   '/auth/passkey/options',         'public',    '-',         'makePasskeyRequest',   makePasskeyRequest],
    ['POST',   '/auth/password-reset',         'public',    '-',         'requestPasswordReset', requestPasswordReset],
    ['POST',   '/auth/password-reset/confirm', 'public',    '-',         'confirmPasswordReset', confirmPasswordReset],
    ['PATCH',  '/user',                        'token',     '-',         'updateUser',           changeUser],
    ['GET',    '/user/preferences',            'signed-in', 'own login', 'getPreferences',       showPreferences],
    ['PUT',    '/user/preferences',            'signed-in', 'own login', 'replacePreferences',   replacePreferences],
    ['PATCH',  '/user/preferences',            'signed-in', 'own login', 'updatePreferences',    changePreferences],
    ['POST',   '/user/password',               'signed-in', 'own login', 'changePassword',       changePassword],
    ['GET',    '/user/passkeys',               'signed-in', 'own login', 'listPasskeys',         listPasskeys],
    ['POST',   '/user/passkeys/options',       'signed-in', 'own login', 'beginPasskey',         beginPasskey],
    ['POST',   '/user/passkeys',               'signed-in', 'own login', 'addPasskey',           addPasskey],
    ['PATCH',  '/user/passkeys/:passkey_id',   'signed-in', 'own login', 'updatePasskey',        changePasskey],
    ['DELETE', '/user/passkeys/:passkey_id',   'signed-in', 'own login', 'removePasskey',        removePasskey],
    ['GET',    '/user/sessions',               'signed-in', 'own login', 'listSessions',         listSessions],
    ['DELETE', '/user/sessions',               'signed-in', 'own login', 'endOtherSessions',     endOtherSessions],
    ['DELETE', '/user/sessions/:session_id',   'signed-in', 'own login', 'endSession',           endSession],
  ]),
  ...routesOf<Services>('Fleet', [
    ['GET', '/fleet/summary',        'signed-in', 'all',      'getFleetSummary',          showSummary],
    ['GET', '/fleet/uplinks',        'signed-in', 'by group', 'listFleetUplinks',         listFleetUplinks],
    ['GET', '/fleet/uplinks/export', 'signed-in', 'by group', 'exportFleetUplinksCsv',    exportFleetUplinks],
    ['GET', '/fleet/uplinks/lines',  'signed-in', 'by group', 'exportFleetUplinksNdjson', exportFleetUplinkLines],
  ]),
  ...routesOf<Services>('Live events', [
    ['GET', '/events', 'signed-in', 'by group', 'followEvents', followEvents],
  ]),
  ...routesOf<Services>('Fleet', [
    ['GET', '/fleet/devices',                    'signed-in', 'by group',   'listFleetDevices',    listFleetDevices],
    ['GET', '/fleet/devices/ids',                'signed-in', 'by group',   'listFleetDeviceIds',  listFleetDeviceIds],
    ['GET', '/fleet/devices/export',             'signed-in', 'by group',   'exportFleetDevices',  exportFleetDevices],
    ['GET', '/fleet/devices/places',             'signed-in', 'by group',   'listDevicePlaces',    listDevicePlaces],
    ['GET', '/fleet/devices/:device_id',         'signed-in', 'one device', 'getFleetDevice',      showFleetDevice],
    ['GET', '/fleet/activity',                   'signed-in', 'all',        'listActivity',        listActivity],
    ['GET', '/fleet/activity/export',            'signed-in', 'all',        'exportActivity',      exportActivity],
    ['GET', '/fleet/activity/lines',             'signed-in', 'all',        'exportActivityLines', exportActivityLines],
    ['GET', '/fleet/activity/verification',      'signed-in', 'all',        'verifyActivity',      verifyActivity],
    ['GET', '/fleet/devices/:device_id/arrival', 'signed-in', 'one device', 'getDeviceArrival',    showArrival],
    ['GET', '/fleet/devices/:device_id/silence', 'signed-in', 'one device', 'getDeviceSilence',    showSilence],
    ['GET', '/fleet/tags',                       'signed-in', 'all',        'listTags',            listTags],
    ['GET', '/fleet/billing',                    'signed-in', 'all',        'getBilling',          showBilling],
  ]),
  ...routesOf<Services>('Downlinks', [
    ['GET',    '/devices/:device_id/configure/fields',       'signed-in',      'one device', 'getConfigurationFields', showConfigurationFields],
    ['POST',   '/devices/:device_id/configure/preview',      'manage_devices', 'one device', 'previewConfiguration',   previewConfiguration],
    ['GET',    '/devices/:device_id/downlinks',              'signed-in',      'one device', 'listDownlinks',          listDownlinks],
    ['POST',   '/devices/:device_id/downlink',               'manage_devices', 'one device', 'sendRawDownlink',        sendRawDownlink],
    ['DELETE', '/devices/:device_id/downlinks/:downlink_id', 'manage_devices', 'one device', 'cancelChosenDownlink',   cancelChosenDownlink],
    ['GET',    '/fleet/downlinks',                           'signed-in',      'by group',   'listFleetDownlinks',     listFleetDownlinks],
  ]),
  ...routesOf<Services>('Moves between networks', [
    ['POST',   '/devices/:device_id/move', 'manage_devices', 'one device', 'moveDevice', moveDevice],
    ['GET',    '/moves',                   'signed-in',      'all',        'listMoves',  listMoves],
    ['GET',    '/moves/:move_id',          'signed-in',      'all',        'getMove',    getMove],
    ['DELETE', '/moves/:move_id',          'manage_devices', 'all',        'cancelMove', cancelMove],
  ]),
]

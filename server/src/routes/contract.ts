import { cancelDownlink } from '../features/downlinks/cancel-downlink.ts'
import { showConfigurationForm } from '../features/downlinks/configuration-form.ts'
import { configureDevice } from '../features/downlinks/configure-device.ts'
import { listDownlinkHistory } from '../features/downlinks/list-downlinks.ts'
import { batchDevices } from '../features/fleet/devices/batch-devices.ts'
import { changeDevice } from '../features/fleet/devices/change-device.ts'
import { deleteDevice, getDevice } from '../features/fleet/devices/get-device.ts'
import { listDevices } from '../features/fleet/devices/list-devices.ts'
import { registerDevice } from '../features/fleet/devices/register-device.ts'
import { batchGateways } from '../features/fleet/gateways/batch-gateways.ts'
import {
  changeGateway,
  createGateway,
  deleteGateway,
  getGateway,
  listGateways,
  rotateGatewayToken,
} from '../features/fleet/gateways/gateways.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  updateGroup,
} from '../features/fleet/groups/groups.ts'
import { listDeviceTypes } from '../features/fleet/lookups/list-device-types.ts'
import { listRegionsNetworks } from '../features/fleet/lookups/list-regions-networks.ts'
import { showConfiguration } from '../features/fleet/lookups/show-configuration.ts'
import { showGatewayForm } from '../features/fleet/lookups/show-gateway-form.ts'
import { showNetworkData } from '../features/fleet/lookups/show-network-data.ts'
import { logIn, logOut, refreshToken } from '../features/people/auth/access-tokens.ts'
import { showMe } from '../features/people/auth/own-user.ts'
import { checkSubscription } from '../features/people/billing/subscription.ts'
import { completeVerification } from '../features/people/two-factor/complete-verification.ts'
import { confirmPasswordAccess } from '../features/people/two-factor/confirm-password-access.ts'
import { disableAuthentication } from '../features/people/two-factor/disable-authentication.ts'
import { generateQrImage } from '../features/people/two-factor/generate-qr-image.ts'
import { verifyTwoFactorAuthentication } from '../features/people/two-factor/verify-two-factor-authentication.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { exportUplinks } from '../uplinks/read/export-uplinks.ts'
import { listAllUplinks } from '../uplinks/read/list-all-uplinks.ts'
import { listDeviceUplinks } from '../uplinks/read/list-device-uplinks.ts'

/** The contract's own endpoints (docs/contract.txt). They ignore unknown parameters of the query. */
// biome-ignore format: a table is read by its columns
export const contractRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Devices', [
    ['GET',    '/devices',                 'signed-in',      'kept',       'listDevices',            listDevices],
    ['GET',    '/devices/:device_id',      'signed-in',      'one device', 'getDevice',              getDevice],
    ['POST',   '/devices',                 'manage_devices', 'all',        'registerDevice',         registerDevice],
    ['PATCH',  '/devices/:device_id',      'manage_devices', 'one device', 'updateDevice',           changeDevice],
    ['DELETE', '/devices/:device_id',      'manage_devices', 'one device', 'deleteDevice',           deleteDevice],
    ['GET',    '/get-device-types',        'signed-in',      'no devices', 'listDeviceTypes',        listDeviceTypes],
    ['GET',    '/network-data',            'signed-in',      'all',        'getNetworkData',         showNetworkData],
    ['GET',    '/device-regions-networks', 'signed-in',      'all',        'listRegionsAndNetworks', listRegionsNetworks],
    ['GET',    '/configurations',          'signed-in',      'all',        'getRegistrationForm',    showConfiguration],
    ['POST',   '/batch-device-requests',   'manage_devices', 'all',        'batchDevices',           batchDevices],
  ]),
  ...routesOf<Services>('Uplinks', [
    ['GET',  '/devices/:device_id/uplink', 'signed-in', 'one device', 'listDeviceUplinks', listDeviceUplinks],
    ['GET',  '/devices/all/uplink',        'signed-in', 'all',        'listAllUplinks',    listAllUplinks],
    ['POST', '/devices/all/uplink',        'signed-in', 'all',        'exportUplinks',     exportUplinks],
  ]),
  ...routesOf<Services>('Downlinks', [
    ['GET',    '/devices/:device_id/configure/create', 'signed-in',      'one device', 'getConfigurationFormHtml', showConfigurationForm],
    ['POST',   '/devices/:device_id/configure',        'manage_devices', 'one device', 'configureDevice',          configureDevice],
    ['GET',    '/devices/:device_id/configure',        'signed-in',      'one device', 'listDownlinkHistory',      listDownlinkHistory],
    ['DELETE', '/devices/:device_id/configure/cancel', 'manage_devices', 'one device', 'cancelDownlink',           cancelDownlink],
  ]),
  ...routesOf<Services>('Gateways', [
    ['GET',    '/gateways',                          'signed-in',       'all', 'listGateways',       listGateways],
    ['POST',   '/gateways/create',                   'signed-in',       'all', 'getGatewayForm',     showGatewayForm],
    ['POST',   '/gateways',                          'manage_gateways', 'all', 'createGateway',      createGateway],
    ['GET',    '/gateways/:gateway_id',              'signed-in',       'all', 'getGateway',         getGateway],
    ['PATCH',  '/gateways/:gateway_id',              'manage_gateways', 'all', 'updateGateway',      changeGateway],
    ['DELETE', '/gateways/:gateway_id',              'manage_gateways', 'all', 'deleteGateway',      deleteGateway],
    ['POST',   '/gateways/:gateway_id/rotate-token', 'manage_gateways', 'all', 'rotateGatewayToken', rotateGatewayToken],
    ['POST',   '/batch-gateway-requests',            'manage_gateways', 'all', 'batchGateways',      batchGateways],
  ]),
  ...routesOf<Services>('Groups', [
    ['GET',    '/device-groups',           'signed-in',     'all', 'listGroups',  listGroups],
    ['POST',   '/device-groups',           'manage_groups', 'all', 'createGroup', createGroup],
    ['GET',    '/device-groups/:group_id', 'signed-in',     'all', 'getGroup',    getGroup],
    ['PATCH',  '/device-groups/:group_id', 'manage_groups', 'all', 'updateGroup', updateGroup],
    ['DELETE', '/device-groups/:group_id', 'manage_groups', 'all', 'deleteGroup', deleteGroup],
  ]),
  ...routesOf<Services>('Billing', [
    ['GET', '/subscription/check/current', 'signed-in', 'all', 'getCurrentSubscription', checkSubscription],
  ]),
  ...routesOf<Services>('Authentication', [
    ['POST', '/auth/login',                       'public',    '-',          'logIn',                         logIn],
    ['GET',  '/auth/refresh-token',               'refresh',   '-',          'refreshToken',                  refreshToken],
    ['GET',  '/user/get-org-user/me',             'signed-in', 'no devices', 'getCurrentUser',                showMe],
    ['GET',  '/logout',                           'token',     '-',          'logOut',                        logOut],
    ['POST', '/confirm-password-access',          'signed-in', 'own login',  'confirmPasswordAccess',         confirmPasswordAccess],
    ['POST', '/generate-qr-image',                'signed-in', 'own login',  'generateQrImage',               generateQrImage],
    ['POST', '/verify-two-factor-authentication', 'signed-in', 'own login',  'verifyTwoFactorAuthentication', verifyTwoFactorAuthentication],
    ['POST', '/complete-verification',            'signed-in', 'own login',  'completeVerification',          completeVerification],
    ['POST', '/disable-authentication',           'signed-in', 'own login',  'disableAuthentication',         disableAuthentication],
  ]),
]

import { logIn, logOut, refreshToken } from '../features/auth/access-tokens.ts'
import { showMe } from '../features/auth/own-user.ts'
import { checkSubscription } from '../features/billing/subscription.ts'
import { batchDevices } from '../features/devices/batch-devices.ts'
import { changeDevice } from '../features/devices/change-device.ts'
import { deleteDevice } from '../features/devices/delete-device.ts'
import { getDevice } from '../features/devices/get-device.ts'
import { listDevices } from '../features/devices/list-devices.ts'
import { registerDevice } from '../features/devices/register-device.ts'
import { cancelDownlink } from '../features/downlinks/cancel-downlink.ts'
import { showConfigurationForm } from '../features/downlinks/configuration-form.ts'
import { configureDevice } from '../features/downlinks/configure-device.ts'
import { listDownlinkHistory } from '../features/downlinks/list-downlinks.ts'
import { batchGateways } from '../features/gateways/batch-gateways.ts'
import { changeGateway } from '../features/gateways/change-gateway.ts'
import { createGateway } from '../features/gateways/create-gateway.ts'
import { deleteGateway } from '../features/gateways/delete-gateway.ts'
import { getGateway } from '../features/gateways/get-gateway.ts'
import { listGateways } from '../features/gateways/list-gateways.ts'
import { rotateGatewayToken } from '../features/gateways/rotate-gateway-token.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  updateGroup,
} from '../features/groups/groups.ts'
import { listDeviceTypes } from '../features/lookups/list-device-types.ts'
import { listRegionsNetworks } from '../features/lookups/list-regions-networks.ts'
import { showConfiguration } from '../features/lookups/show-configuration.ts'
import { showGatewayForm } from '../features/lookups/show-gateway-form.ts'
import { showNetworkData } from '../features/lookups/show-network-data.ts'
import { completeVerification } from '../features/two-factor/complete-verification.ts'
import { confirmPasswordAccess } from '../features/two-factor/confirm-password-access.ts'
import { disableAuthentication } from '../features/two-factor/disable-authentication.ts'
import { generateQrImage } from '../features/two-factor/generate-qr-image.ts'
import { verifyTwoFactorAuthentication } from '../features/two-factor/verify-two-factor-authentication.ts'
import { exportUplinks } from '../features/uplinks/export-uplinks.ts'
import { listAllUplinks } from '../features/uplinks/list-all-uplinks.ts'
import { listDeviceUplinks } from '../features/uplinks/list-device-uplinks.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

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

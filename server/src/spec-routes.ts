import { logIn } from './features/auth/log-in.ts'
import { logOut } from './features/auth/log-out.ts'
import { refreshToken } from './features/auth/refresh-token.ts'
import { showMe } from './features/auth/show-me.ts'
import { checkSubscription } from './features/billing/check-subscription.ts'
import { batchDevices } from './features/devices/batch-devices.ts'
import { changeDevice } from './features/devices/change-device.ts'
import { deleteDevice } from './features/devices/delete-device.ts'
import { getDevice } from './features/devices/get-device.ts'
import { listDevices } from './features/devices/list-devices.ts'
import { registerDevice } from './features/devices/register-device.ts'
import { cancelDownlink } from './features/downlinks/cancel-downlink.ts'
import { configureDevice } from './features/downlinks/configure-device.ts'
import { listDownlinkHistory } from './features/downlinks/list-downlink-history.ts'
import { showConfigurationForm } from './features/downlinks/show-configuration-form.ts'
import { batchGateways } from './features/gateways/batch-gateways.ts'
import { changeGateway } from './features/gateways/change-gateway.ts'
import { createGateway } from './features/gateways/create-gateway.ts'
import { deleteGateway } from './features/gateways/delete-gateway.ts'
import { getGateway } from './features/gateways/get-gateway.ts'
import { listGateways } from './features/gateways/list-gateways.ts'
import { rotateGatewayToken } from './features/gateways/rotate-gateway-token.ts'
import { createGroup } from './features/groups/create-group.ts'
import { deleteGroup } from './features/groups/delete-group.ts'
import { getGroup } from './features/groups/get-group.ts'
import { listGroups } from './features/groups/list-groups.ts'
import { updateGroup } from './features/groups/update-group.ts'
import { listDeviceTypes } from './features/lookups/list-device-types.ts'
import { listRegionsNetworks } from './features/lookups/list-regions-networks.ts'
import { showConfiguration } from './features/lookups/show-configuration.ts'
import { showGatewayForm } from './features/lookups/show-gateway-form.ts'
import { showNetworkData } from './features/lookups/show-network-data.ts'
import { completeVerification } from './features/two-factor/complete-verification.ts'
import { confirmPasswordAccess } from './features/two-factor/confirm-password-access.ts'
import { disableAuthentication } from './features/two-factor/disable-authentication.ts'
import { generateQrImage } from './features/two-factor/generate-qr-image.ts'
import { verifyTwoFactorAuthentication } from './features/two-factor/verify-two-factor-authentication.ts'
import { exportUplinks } from './features/uplinks/export-uplinks.ts'
import { listAllUplinks } from './features/uplinks/list-all-uplinks.ts'
import { listDeviceUplinks } from './features/uplinks/list-device-uplinks.ts'
import type { Route } from './http/endpoint.ts'
import type { Services } from './services.ts'

/**
 * Every URL of the contract below the base path, in its order, and who may call it. A trailing
 * slash makes no difference.
 */
// biome-ignore format: a table is read by its columns
export const specRoutes: readonly Route<Services>[] = [
  ['GET',    '/devices',                           'signed-in',       listDevices],
  ['GET',    '/devices/:device_id',                'signed-in',       getDevice],
  ['POST',   '/devices',                           'manage_devices',  registerDevice],
  ['PATCH',  '/devices/:device_id',                'manage_devices',  changeDevice],
  ['DELETE', '/devices/:device_id',                'manage_devices',  deleteDevice],
  ['GET',    '/get-device-types',                  'signed-in',       listDeviceTypes],
  ['GET',    '/network-data',                      'signed-in',       showNetworkData],
  ['GET',    '/device-regions-networks',           'signed-in',       listRegionsNetworks],
  ['GET',    '/configurations',                    'signed-in',       showConfiguration],
  ['POST',   '/batch-device-requests',             'manage_devices',  batchDevices],

  ['GET',    '/devices/:device_id/uplink',         'signed-in',       listDeviceUplinks],
  ['GET',    '/devices/all/uplink',                'signed-in',       listAllUplinks],
  ['POST',   '/devices/all/uplink',                'signed-in',       exportUplinks],

  ['GET',    '/devices/:device_id/configure/create', 'signed-in',     showConfigurationForm],
  ['POST',   '/devices/:device_id/configure',      'manage_devices',  configureDevice],
  ['GET',    '/devices/:device_id/configure',      'signed-in',       listDownlinkHistory],
  ['DELETE', '/devices/:device_id/configure/cancel', 'manage_devices', cancelDownlink],

  ['GET',    '/gateways',                          'signed-in',       listGateways],
  ['POST',   '/gateways/create',                   'signed-in',       showGatewayForm],
  ['POST',   '/gateways',                          'manage_gateways', createGateway],
  ['GET',    '/gateways/:gateway_id',              'signed-in',       getGateway],
  ['PATCH',  '/gateways/:gateway_id',              'manage_gateways', changeGateway],
  ['DELETE', '/gateways/:gateway_id',              'manage_gateways', deleteGateway],
  ['POST',   '/gateways/:gateway_id/rotate-token', 'manage_gateways', rotateGatewayToken],
  ['POST',   '/batch-gateway-requests',            'manage_gateways', batchGateways],

  ['GET',    '/device-groups',                     'signed-in',       listGroups],
  ['POST',   '/device-groups',                     'manage_groups',   createGroup],
  ['GET',    '/device-groups/:group_id',           'signed-in',       getGroup],
  ['PATCH',  '/device-groups/:group_id',           'manage_groups',   updateGroup],
  ['DELETE', '/device-groups/:group_id',           'manage_groups',   deleteGroup],

  ['GET',    '/subscription/check/current',        'signed-in',       checkSubscription],

  ['POST',   '/auth/login',                        'public',          logIn],
  ['GET',    '/auth/refresh-token',                'refresh',         refreshToken],
  ['GET',    '/user/get-org-user/me',              'signed-in',       showMe],
  ['GET',    '/logout',                            'token',           logOut],
  ['POST',   '/confirm-password-access',           'signed-in',       confirmPasswordAccess],
  ['POST',   '/generate-qr-image',                 'signed-in',       generateQrImage],
  ['POST',   '/verify-two-factor-authentication',  'signed-in',       verifyTwoFactorAuthentication],
  ['POST',   '/complete-verification',             'signed-in',       completeVerification],
  ['POST',   '/disable-authentication',            'signed-in',       disableAuthentication],
]

import {
  answerHealthCheck,
  receiveCallback,
  receiveNamedCallback,
} from '../features/callbacks/receive-callback.ts'
import { receiveGatewayMessage } from '../features/callbacks/receive-gateway-message.ts'
import { showAirtime } from '../features/device-health/show-airtime.ts'
import { showBattery } from '../features/device-health/show-battery.ts'
import { showRadio } from '../features/device-health/show-radio.ts'
import {
  createDeviceType,
  decodeTypeAgain,
  deleteDeviceType,
  getDeviceType,
  listCustomTypes,
  updateDeviceType,
} from '../features/device-types/device-types.ts'
import { tryCodec } from '../features/device-types/try-codec.ts'
import { tryDraft } from '../features/device-types/try-draft.ts'
import { replaceVariables, showVariables } from '../features/devices/variables.ts'
import { explainFrame, showUplinkFrame } from '../features/frames/explain-frame.ts'
import { listCatalogue, showCatalogueType } from '../features/lookups/catalogue.ts'
import {
  setAccountProfiles,
  showAccountProfiles,
} from '../features/network-accounts/account-profiles.ts'
import { checkNetworkAccount } from '../features/network-accounts/check-network-account.ts'
import { listFleetNetworks } from '../features/network-accounts/list-fleet-networks.ts'
import {
  deleteNetworkAccount,
  listNetworkAccounts,
  showNetworkAccount,
} from '../features/network-accounts/network-accounts.ts'
import { rotateCallbackSecret } from '../features/network-accounts/rotate-callback-secret.ts'
import { setNetworkAccount } from '../features/network-accounts/set-network-account.ts'
import { dropQuarantined } from '../features/quarantine/drop-quarantined.ts'
import { listQuarantine } from '../features/quarantine/list-quarantine.ts'
import { showQuarantined } from '../features/quarantine/show-quarantined.ts'
import { reconcileNetwork } from '../features/reconciliation/reconcile-network.ts'
import { showReconciliation } from '../features/reconciliation/show-reconciliation.ts'
import { showMeasurements } from '../features/uplinks/show-measurements.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'

/** Accounts at networks and what these send, device types, and what devices measure. */
// biome-ignore format: a table is read by its columns
export const networkRoutes: readonly Route<Services>[] = [
  ...routesOf<Services>('Network accounts', [
    ['GET',     '/network-accounts',                          'signed-in',      'all', 'listNetworkAccounts',     listNetworkAccounts],
    ['GET',     '/network-accounts/:network',                 'signed-in',      'all', 'getNetworkAccount',       showNetworkAccount],
    ['PUT',     '/network-accounts/:network',                 'manage_account', 'all', 'setNetworkAccount',       setNetworkAccount],
    ['DELETE',  '/network-accounts/:network',                 'manage_account', 'all', 'deleteNetworkAccount',    deleteNetworkAccount],
    ['POST',    '/network-accounts/:network/rotate',          'manage_account', 'all', 'rotateCallbackSecret',    rotateCallbackSecret],
    ['POST',    '/network-accounts/:network/check',           'manage_account', 'all', 'checkNetworkAccount',     checkNetworkAccount],
    ['GET',     '/network-accounts/:network/profiles',        'signed-in',      'all', 'getAccountProfiles',      showAccountProfiles],
    ['PUT',     '/network-accounts/:network/profiles',        'manage_account', 'all', 'setAccountProfiles',      setAccountProfiles],
    ['GET',     '/network-accounts/:network/quarantine',      'signed-in',      'all', 'listQuarantine',          listQuarantine],
    ['GET',     '/network-accounts/:network/quarantine/:eui', 'signed-in',      'all', 'listQuarantinedMessages', showQuarantined],
    ['DELETE',  '/network-accounts/:network/quarantine/:eui', 'manage_account', 'all', 'deleteQuarantined',       dropQuarantined],
    ['GET',     '/fleet/networks',                            'signed-in',      'all', 'listFleetNetworks',       listFleetNetworks],
    ['GET',     '/network-accounts/:network/reconcile',       'signed-in',      'all', 'getReconciliation',       showReconciliation],
    ['POST',    '/network-accounts/:network/reconcile',       'manage_account', 'all', 'reconcileNetwork',        reconcileNetwork],
    ['POST',    '/callbacks/:network/:account',               'public',         '-',   'receiveCallback',         receiveCallback],
    ['POST',    '/callbacks/:network/:account/:event',        'public',         '-',   'receiveNamedCallback',    receiveNamedCallback],
    ['OPTIONS', '/callbacks/:network/:account',               'public',         '-',   'answerHealthCheck',       answerHealthCheck],
    ['POST',    '/callbacks/other/:gateway',                  'public',         '-',   'receiveGatewayMessage',   receiveGatewayMessage],
  ]),
  ...routesOf<Services>('Device types', [
    ['GET',    '/device-types',                  'signed-in',      'all',        'listCustomDeviceTypes', listCustomTypes],
    ['POST',   '/device-types',                  'manage_devices', 'all',        'createDeviceType',      createDeviceType],
    ['GET',    '/device-types/:id',              'signed-in',      'all',        'getDeviceType',         getDeviceType],
    ['PATCH',  '/device-types/:id',              'manage_devices', 'all',        'updateDeviceType',      updateDeviceType],
    ['DELETE', '/device-types/:id',              'manage_devices', 'all',        'deleteDeviceType',      deleteDeviceType],
    ['POST',   '/device-types/:id/try',          'manage_devices', 'all',        'tryDeviceType',         tryCodec],
    ['POST',   '/device-types/:id/decode-again', 'manage_devices', 'all',        'decodeDeviceTypeAgain', decodeTypeAgain],
    ['POST',   '/device-types/try',              'manage_devices', 'all',        'tryDeviceTypeDraft',    tryDraft],
    ['GET',    '/catalogue',                     'signed-in',      'no devices', 'listCatalogue',         listCatalogue],
    ['GET',    '/catalogue/:id',                 'signed-in',      'no devices', 'getCatalogueType',      showCatalogueType],
  ]),
  ...routesOf<Services>('Measurements', [
    ['GET', '/devices/:device_id/measurements', 'signed-in', 'one device', 'getDeviceMeasurements', showMeasurements],
    ['GET', '/devices/:device_id/radio',        'signed-in', 'one device', 'getDeviceRadio',        showRadio],
    ['GET', '/devices/:device_id/battery',      'signed-in', 'one device', 'getDeviceBattery',      showBattery],
    ['GET', '/devices/:device_id/airtime',      'signed-in', 'one device', 'getDeviceAirtime',      showAirtime],
  ]),
  ...routesOf<Services>('Devices', [
    ['GET', '/devices/:device_id/variables', 'manage_devices', 'one device', 'getDeviceVariables',     showVariables],
    ['PUT', '/devices/:device_id/variables', 'manage_devices', 'one device', 'replaceDeviceVariables', replaceVariables],
  ]),
  ...routesOf<Services>('Frames', [
    ['POST', '/frames/explain',                              'signed-in', 'no devices', 'explainFrame',   explainFrame],
    ['GET',  '/devices/:device_id/uplinks/:uplink_id/frame', 'signed-in', 'one device', 'getUplinkFrame', showUplinkFrame],
  ]),
]

import {
  setAccountProfiles,
  showAccountProfiles,
} from '../features/accounts/network-accounts/account-profiles.ts'
import { checkNetworkAccount } from '../features/accounts/network-accounts/check-network-account.ts'
import { listAccountChoices } from '../features/accounts/network-accounts/list-account-choices.ts'
import { listFleetNetworks } from '../features/accounts/network-accounts/list-fleet-networks.ts'
import {
  deleteNetworkAccount,
  listNetworkAccounts,
  rotateCallbackSecret,
  showNetworkAccount,
} from '../features/accounts/network-accounts/network-accounts.ts'
import { setNetworkAccount } from '../features/accounts/network-accounts/set-network-account.ts'
import { reconcileNetwork } from '../features/accounts/reconciliation/reconcile-network.ts'
import { showReconciliation } from '../features/accounts/reconciliation/show-reconciliation.ts'
import {
  getModel,
  listVendors,
  searchCatalogue,
  takeModel,
} from '../features/fleet/catalogue/catalogue.ts'
import {
  applyCatalogueUpdate,
  showCatalogueUpdate,
} from '../features/fleet/catalogue/catalogue-update.ts'
import {
  addSource,
  changeSource,
  deleteSource,
  fetchSource,
  listSources,
} from '../features/fleet/catalogue/sources.ts'
import {
  createDeviceType,
  decodeTypeAgain,
  deleteDeviceType,
  getDeviceType,
  listCustomTypes,
  updateDeviceType,
} from '../features/fleet/device-types/device-types.ts'
import { tryCodec } from '../features/fleet/device-types/try-codec.ts'
import { tryDraft } from '../features/fleet/device-types/try-draft.ts'
import { replaceVariables, showVariables } from '../features/fleet/devices/variables.ts'
import { takeOverNetwork } from '../features/fleet/jobs/take-over-network.ts'
import { listCatalogue, showCatalogueType } from '../features/fleet/lookups/catalogue.ts'
import {
  addPhoto,
  changePhoto,
  deletePhoto,
  listPhotos,
  showPhotoImage,
} from '../features/fleet/pictures/photos.ts'
import { showAirtime } from '../features/insight/device-health/show-airtime.ts'
import { showBattery } from '../features/insight/device-health/show-battery.ts'
import { showRadio } from '../features/insight/device-health/show-radio.ts'
import { explainFrame, showUplinkFrame } from '../features/insight/frames/explain-frame.ts'
import { type Route, routesOf } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { dropQuarantined } from '../uplinks/quarantine/drop-quarantined.ts'
import { listQuarantine } from '../uplinks/quarantine/list-quarantine.ts'
import { showQuarantined } from '../uplinks/quarantine/show-quarantined.ts'
import { queryMeasurements } from '../uplinks/read/query-measurements.ts'
import { showMeasurements } from '../uplinks/read/show-measurements.ts'
import { showStates } from '../uplinks/read/show-states.ts'
import {
  answerHealthCheck,
  receiveCallback,
  receiveNamedCallback,
} from '../uplinks/receive/receive-callback.ts'
import { receiveGatewayMessage } from '../uplinks/receive/receive-gateway-message.ts'

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
    ['POST',    '/network-accounts/:network/choices',         'manage_account', 'all', 'listAccountChoices',      listAccountChoices],
    ['GET',     '/network-accounts/:network/profiles',        'signed-in',      'all', 'getAccountProfiles',      showAccountProfiles],
    ['PUT',     '/network-accounts/:network/profiles',        'manage_account', 'all', 'setAccountProfiles',      setAccountProfiles],
    ['GET',     '/network-accounts/:network/quarantine',      'signed-in',      'all', 'listQuarantine',          listQuarantine],
    ['GET',     '/network-accounts/:network/quarantine/:eui', 'signed-in',      'all', 'listQuarantinedMessages', showQuarantined],
    ['DELETE',  '/network-accounts/:network/quarantine/:eui', 'manage_account', 'all', 'deleteQuarantined',       dropQuarantined],
    ['GET',     '/fleet/networks',                            'signed-in',      'all', 'listFleetNetworks',       listFleetNetworks],
    ['GET',     '/network-accounts/:network/reconcile',       'signed-in',      'all', 'getReconciliation',       showReconciliation],
    ['POST',    '/network-accounts/:network/reconcile',       'manage_account', 'all', 'reconcileNetwork',        reconcileNetwork],
    ['POST',   '/network-accounts/:network/take-over',        'manage_account', 'all', 'takeOverNetwork',         takeOverNetwork],
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
  ...routesOf<Services>('Device catalogue', [
    ['GET',    '/device-catalogue',                          'signed-in',      'no devices', 'searchCatalogue',       searchCatalogue],
    ['GET',    '/device-catalogue/vendors',                  'signed-in',      'no devices', 'listCatalogueVendors',  listVendors],
    ['GET',    '/device-catalogue/sources',                  'signed-in',      'no devices', 'listCatalogueSources',  listSources],
    ['POST',   '/device-catalogue/sources',                  'manage_account', 'all',        'addCatalogueSource',    addSource],
    ['PATCH',  '/device-catalogue/sources/:source_id',       'manage_account', 'all',        'updateCatalogueSource', changeSource],
    ['DELETE', '/device-catalogue/sources/:source_id',       'manage_account', 'all',        'deleteCatalogueSource', deleteSource],
    ['POST',   '/device-catalogue/sources/:source_id/fetch', 'manage_account', 'all',        'fetchCatalogueSource',  fetchSource],
    ['GET',    '/device-catalogue/:model_id',                'signed-in',      'no devices', 'getCatalogueModel',     getModel],
    ['POST',   '/device-catalogue/:model_id/types',          'manage_devices', 'all',        'takeCatalogueModel',    takeModel],
    ['GET',    '/device-types/:id/catalogue-update',         'manage_devices', 'all',        'getCatalogueUpdate',    showCatalogueUpdate],
    ['POST',   '/device-types/:id/catalogue-update',         'manage_devices', 'all',        'applyCatalogueUpdate',  applyCatalogueUpdate],
  ]),
  ...routesOf<Services>('Measurements', [
    ['GET',  '/devices/:device_id/measurements', 'signed-in', 'one device', 'getDeviceMeasurements', showMeasurements],
    ['GET',  '/devices/:device_id/states',       'signed-in', 'one device', 'getDeviceStates',       showStates],
    ['POST', '/measurements/query',              'signed-in', 'kept',       'queryMeasurements',     queryMeasurements],
    ['GET',  '/devices/:device_id/radio',        'signed-in', 'one device', 'getDeviceRadio',        showRadio],
    ['GET',  '/devices/:device_id/battery',      'signed-in', 'one device', 'getDeviceBattery',      showBattery],
    ['GET',  '/devices/:device_id/airtime',      'signed-in', 'one device', 'getDeviceAirtime',      showAirtime],
  ]),
  ...routesOf<Services>('Devices', [
    ['GET',    '/devices/:device_id/variables',              'manage_devices', 'one device', 'getDeviceVariables',     showVariables],
    ['PUT',    '/devices/:device_id/variables',              'manage_devices', 'one device', 'replaceDeviceVariables', replaceVariables],
    ['GET',    '/devices/:device_id/photos',                 'signed-in',      'one device', 'listDevicePhotos',       listPhotos],
    ['POST',   '/devices/:device_id/photos',                 'manage_devices', 'one device', 'addDevicePhoto',         addPhoto],
    ['PATCH',  '/devices/:device_id/photos/:photo_id',       'manage_devices', 'one device', 'updateDevicePhoto',      changePhoto],
    ['DELETE', '/devices/:device_id/photos/:photo_id',       'manage_devices', 'one device', 'deleteDevicePhoto',      deletePhoto],
    ['GET',    '/devices/:device_id/photos/:photo_id/image', 'signed-in',      'one device', 'getDevicePhotoImage',    showPhotoImage],
  ]),
  ...routesOf<Services>('Frames', [
    ['POST', '/frames/explain',                              'signed-in', 'no devices', 'explainFrame',   explainFrame],
    ['GET',  '/devices/:device_id/uplinks/:uplink_id/frame', 'signed-in', 'one device', 'getUplinkFrame', showUplinkFrame],
  ]),
]

import { checkBy, isOneWord } from '../account-fields.ts'
import { commonGatewayFields, optionalField, regionValues, requiredField } from '../forms.ts'
import type { Network } from '../network.ts'
import { toAddress } from './account.ts'
import { readMessages } from './messages.ts'
import { checkSignature } from './signature.ts'

/**
 * Actility ThingPark, Enterprise and Wireless, API 7.3: its device and network manager (OpenAPI
 * files device-manager and network-manager), the tunnel interface between its core network (LRC)
 * and an application server (AS), and the messages of IoT Flow. docs.thingpark.com
 *
 * The account is a service account and an application server.
 */
export const actility: Network = {
  key: 'actility',
  alias: 'network_key_7',
  id: 8,
  name: 'Actility ThingPark',
  isLora: true,
  profileField: 'device_model_id',
  accountFields: [
    {
      name: 'server',
      label: 'Server (community.thingpark.io)',
      required: true,
      check: checkBy(
        (text) => toAddress(text) !== undefined,
        'The server must be like community.thingpark.io or https://host, without a path.',
      ),
    },
    { name: 'client_id', label: 'Client ID', required: true, check: checkSpaces('client ID') },
    {
      name: 'client_secret',
      label: 'Client secret',
      required: true,
      secret: true,
      check: checkSpaces('client secret'),
    },
    {
      name: 'as_id',
      label: 'AS ID',
      required: true,
      // Network manager API 7.3, AS_ID of POST /v2/downlink.
      check: checkBy(
        /^[0-9A-Za-z\-._]{1,255}$/,
        'The AS ID may contain letters, digits, dashes, dots and underscores only.',
      ),
    },
    {
      name: 'as_key',
      label: 'Tunnel interface authentication key (AS key)',
      secret: true,
      check: checkBy(/^[0-9a-f]{32}$/i, 'The AS key must be 32 hexadecimal characters.'),
    },
    {
      name: 'device_model_id',
      label: 'Device profile ID',
      required: true,
      listed: { as: 'Device profile' },
      check: checkSpaces('device model ID'),
    },
    {
      name: 'base_station_model_id',
      label: 'Base station profile ID',
      listed: { as: 'Base station profile' },
      check: checkSpaces('base station model ID'),
    },
  ],
  checkedFirst: [
    'server',
    'client_id',
    'client_secret',
    'device_model_id',
    'base_station_model_id',
  ],
  // Network manager API 7.3: a base station needs `model.ID` (of GET /partners/mine/bsProfiles) and
  // its LRR-UUID, and works only after its RF region is set, which follows from the ISM band. The
  // LRR-UUID follows from the EUI, or is entered as the serial number (gateways.ts). The account
  // names the model of devices.
  forms: {
    device: { fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' } },
    gateway: {
      description:
        'Have the gateway EUI, the id of its base station profile at ThingPark and its ISM band at hand. An LRR-UUID that is not made of the EUI goes into the serial number.',
      fields: {
        ...commonGatewayFields,
        model: requiredField,
        ismBand: { validation: 'required', values: regionValues },
        serialNumber: optionalField,
      },
    },
  },
  // The API does not list the downlink queue of a device and deletes no single item. A parameter of
  // POST /v2/downlink empties the queue.
  capabilities: {
    registration: 'api',
    radio: ['1.1', 'abp', 'class_c'],
    renames: true,
    places: ['devices'],
    rekeys: true,
    changesJoinEui: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'flush_own',
    holdsUntilReport: true,
    reports: ['sent', 'acknowledged', 'failed'],
    lists: ['devices', 'gateways'],
    callbacks: 'several',
    rights: ['write_devices', 'read_gateways', 'write_gateways', 'set_callback'],
    hasQuota: true,
  },
  callbackPlace: ['server'],
  jsonSetting: 'Set "Content Type" of the application in ThingPark to JSON.',
  readMessages,
  checkSignature,
  load: () => import('./connection.ts'),
}

function checkSpaces(label: string) {
  return checkBy(isOneWord, `The ${label} must be one word without spaces.`)
}

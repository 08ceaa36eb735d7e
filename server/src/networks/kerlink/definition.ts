import { checkBy } from '../account-fields.ts'
import { commonGatewayFields, optionalField, regionValues } from '../forms.ts'
import type { Network } from '../network.ts'
import { toBase } from './account.ts'
import { readMessages } from './messages.ts'

/**
 * Kerlink Wanesy Management Center: its GMS REST API (OpenAPI file of 3.2.6) and its push over
 * HTTP. wikikerlink.fr/wanesy-ran, "GMS API" and "API guide"
 *
 * The account is a user, and the cluster, fleet and brand of its devices and gateways.
 */
export const kerlink: Network = {
  key: 'kerlink',
  alias: 'network_key_6',
  id: 7,
  name: 'Kerlink Wanesy',
  isLora: true,
  accountFields: [
    {
      name: 'server',
      label: 'Server (https://instance.wanesy.com)',
      required: true,
      check: checkBy(
        (text) => toBase(text) !== undefined,
        'The server must be like https://instance.wanesy.com, or the name of the instance.',
      ),
    },
    { name: 'login', label: 'Login', required: true },
    { name: 'password', label: 'Password', required: true, secret: true },
    {
      name: 'cluster_id',
      label: 'Cluster ID',
      required: true,
      listed: { as: 'Cluster' },
      check: checkNumber('cluster ID'),
    },
    {
      name: 'fleet_id',
      label: 'Fleet ID',
      listed: { as: 'Fleet' },
      check: checkNumber('fleet ID'),
    },
    {
      name: 'brand_id',
      label: 'Brand ID',
      listed: { as: 'Brand' },
      check: checkNumber('brand ID'),
    },
  ],
  // An end device needs `rfRegion`, a gateway (GatewayDto) `visibility` and `region`. `fleet` and
  // `brand` are ids, or names that are looked up.
  forms: {
    device: { fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'required' } },
    gateway: {
      description:
        'Have the gateway EUI at hand. Fleet and brand are ids or names of your Wanesy; without them those of your account are used.',
      fields: {
        ...commonGatewayFields,
        region: { validation: 'required', values: regionValues },
        visibility: { validation: 'required', values: { PRIVATE: 'Private', PUBLIC: 'Public' } },
        fleet: optionalField,
        brand: optionalField,
      },
    },
  },
  // It pushes the outcome of each data down, but neither joins nor acknowledgements.
  capabilities: {
    registration: 'api',
    // EndDeviceDto has no NwkKey, which LoRaWAN 1.1 needs.
    radio: ['abp', 'class_c'],
    renames: true,
    places: ['gateways'],
    rekeys: true,
    changesJoinEui: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'one',
    listsQueue: true,
    reports: ['sent', 'failed'],
    lists: ['devices', 'gateways'],
    tellsKeys: 'listed',
    callbacks: 'one',
    rights: ['write_devices', 'write_gateways', 'send_downlinks', 'set_callback'],
    hasQuota: true,
  },
  // `EndDeviceDto` and `GatewayDto`.
  limits: {
    deviceName: { longest: 255 },
    gatewayName: { longest: 255 },
    gatewayDescription: { longest: 255 },
  },
  callbackPlace: ['server', 'cluster_id'],
  readMessages,
  load: () => import('./connection.ts'),
}

function checkNumber(label: string) {
  return checkBy(/^\d{1,15}$/, `The ${label} must be a number.`)
}

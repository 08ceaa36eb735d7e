import { apiKeyField, checkBy, checkOneWord, isApiAddress, isHostName } from '../account-fields.ts'
import { commonGatewayFields, optionalField } from '../forms.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/**
 * LORIOT: its Public NWK REST API 5.0, its downlink call (docs.loriot.io, HTTP PUSH) and its data
 * output `httppush`.
 */
export const loriot: Network = {
  key: 'loriot',
  alias: 'network_key_4',
  id: 6,
  name: 'LORIOT',
  isLora: true,
  accountFields: [
    {
      name: 'server',
      label: 'Server',
      required: true,
      check: checkBy(
        (text) => isApiAddress(text) || isHostName(text),
        'The server must be a name such as eu1, or an address such as https://host.',
      ),
    },
    apiKeyField,
    {
      name: 'application_id',
      label: 'Application ID (APPID)',
      required: true,
      listed: { as: 'Application' },
      check: checkBy(
        /^[0-9a-f]{8}$/i,
        'The application ID must be 8 hexadecimal digits, like BE7A2562.',
      ),
    },
    {
      name: 'application_token',
      label: 'Application token',
      secret: true,
      check: checkOneWord('application token'),
    },
    {
      name: 'network_id',
      label: 'Network ID of the gateways',
      listed: { as: 'Network of the gateways' },
      check: checkBy(
        /^[0-9a-f]{1,16}$/i,
        'The network ID must be hexadecimal digits, like A0000001.',
      ),
    },
  ],
  checkedFirst: ['server', 'api_key', 'application_token'],
  // POST /1/nwk/network/{id}/gateways needs maker, model, concentrator, bus and card, spelled as in
  // GET /1/nwk/gateway/models. A gateway without any of them counts as one with Basics Station.
  // `loriotGateway` is the id of a gateway that LORIOT has already.
  forms: {
    device: { fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' } },
    gateway: {
      description:
        'Have the gateway EUI at hand. A gateway that runs Basics Station needs nothing else; of any other, the maker, model, concentrator and bus as LORIOT lists them.',
      fields: {
        ...commonGatewayFields,
        loriotGateway: optionalField,
        brand: optionalField,
        model: optionalField,
        concentrator: optionalField,
        bus: optionalField,
        card: optionalField,
      },
      models: ['evolution', 'istation', 'ibts_compact'],
    },
  },
  // The queue of a device can be emptied but not listed. Of sent downlinks, a device shows only its
  // next downlink counter.
  capabilities: {
    registration: 'api',
    // The calls take no second key, which LoRaWAN 1.1 needs.
    radio: ['abp', 'class_c'],
    renames: true,
    places: ['gateways'],
    rekeys: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'flush_own',
    holdsUntilReport: true,
    reports: ['sent', 'acknowledged', 'failed'],
    lists: ['devices', 'gateways'],
    callbacks: 'several',
    rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
    hasQuota: true,
  },
  callbackPlace: ['server', 'application_id'],
  // An output sends its field `auth` in this header, and no other.
  callbackHeader: 'authorization',
  readMessages,
  load: () => import('./connection.ts'),
}

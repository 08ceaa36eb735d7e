import { checkBy, checkOneWord, otherServerField } from '../account-fields.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/** Comcast machineQ: its API v1 and the REST destinations of its output profiles. */
export const machineq: Network = {
  key: 'machineq',
  alias: 'network_key_1',
  id: 2,
  name: 'Comcast machineQ',
  isLora: true,
  profileField: 'device_profile',
  accountFields: [
    { name: 'client_id', label: 'Client ID', required: true, check: checkOneWord('client ID') },
    {
      name: 'client_secret',
      label: 'Client secret',
      required: true,
      secret: true,
      check: checkOneWord('client secret'),
    },
    {
      name: 'service_profile',
      label: 'Service profile ID',
      required: true,
      listed: { as: 'Service profile' },
      check: checkId('service profile'),
    },
    {
      name: 'device_profile',
      label: 'Device profile ID',
      required: true,
      listed: { as: 'Device profile' },
      check: checkId('device profile'),
    },
    {
      name: 'output_profile',
      label: 'Output profile ID',
      listed: { as: 'Output profile' },
      check: checkId('output profile'),
    },
    { name: 'gateway_profile', label: 'Gateway profile ID', check: checkId('gateway profile') },
    { ...otherServerField, label: 'Address of the API, where it is another one (https://host)' },
  ],
  // The account's service and device profile say everything but the device's identity
  // (OlegZv/machineq, shared models: POST /devices). Its regions are North American.
  forms: { device: { fields: { joinEui: 'optional', appRegion: 'optional' } } },
  // API v1, as its Python client has it (OlegZv/machineq). A queue can be emptied only by sending
  // another message, and downlinks are not reported. The API can create gateways, but our
  // registration form does not ask for what it needs.
  capabilities: {
    registration: 'api',
    // The class of a device is that of its device profile, whose name is all the API shows, and
    // there is no member for the second key of LoRaWAN 1.1.
    radio: ['abp'],
    renames: true,
    downlinks: 'pushed',
    confirmed: true,
    lists: ['devices'],
    callbacks: 'several',
    rights: ['write_devices', 'send_downlinks', 'set_callback'],
  },
  callbackPlace: ['server'],
  readMessages,
  load: () => import('./connection.ts'),
}

function checkId(label: string) {
  return checkBy(/^[\w.:-]{1,128}$/, `The ${label} must be an ID of letters and digits.`)
}

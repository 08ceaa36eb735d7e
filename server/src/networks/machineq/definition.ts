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
      check: checkId('service profile'),
    },
    {
      name: 'device_profile',
      label: 'Device profile ID',
      required: true,
      check: checkId('device profile'),
    },
    { name: 'output_profile', label: 'Output profile ID', check: checkId('output profile') },
    { name: 'gateway_profile', label: 'Gateway profile ID', check: checkId('gateway profile') },
    { ...otherServerField, label: 'Address of the API, where it is another one (https://host)' },
  ],
  // The service and device profile of the account say all but the device's own identity
  // (OlegZv/machineq, shared models: POST /devices). Its regions are North American.
  forms: { device: { fields: { joinEui: 'optional', appRegion: 'optional' } } },
  // API v1, as its Python client has it (OlegZv/machineq). A queue can be emptied only by sending
  // another message, and nothing is told of a downlink. Gateways can be created through the API,
  // but the registration form of the service does not ask for what that needs.
  capabilities: {
    registration: 'api',
    renames: true,
    downlinks: 'pushed',
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

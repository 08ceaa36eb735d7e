import { apiKeyField, checkBy, otherServerField } from '../account-fields.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/**
 * Netmore Connect. Its API is published as api.connect.netmoregroup.com/docs/swagger.json. The
 * source of this client is the one that Cumulocity-IoT/cumulocity-lora generated of version 1.2.83
 * (java/lora-ns-netmore), which has the calls and members but neither statuses nor errors.
 */
export const netmore: Network = {
  key: 'netmore',
  id: 11,
  name: 'Netmore',
  isLora: true,
  profileField: 'profile_id',
  accountFields: [
    apiKeyField,
    { name: 'customer_id', label: 'Customer ID', required: true, check: checkId('customer_id') },
    {
      name: 'device_group_id',
      label: 'Device group ID',
      required: true,
      check: checkId('device_group_id'),
    },
    {
      name: 'profile_id',
      label: 'Device profile (number)',
      required: true,
      check: checkBy(/^\d{1,9}$/, 'The device profile must be its number.'),
    },
    {
      name: 'export_config_group_id',
      label: 'Export configuration group ID',
      check: checkId('export_config_group_id'),
    },
    otherServerField,
  ],
  checkedFirst: ['api_key', 'customer_id', 'device_group_id', 'export_config_group_id'],
  // `ChannelPlan` of the API. A device without one gets the plan of its profile.
  forms: {
    device: {
      fields: { joinEui: 'optional', frequencyPlan: 'optional' },
      frequencyPlans: [
        { id: 'EU868', name: 'Europe 863-870 MHz', base_frequency: 868 },
        { id: 'US915', name: 'United States 902-928 MHz', base_frequency: 915 },
        { id: 'AU915', name: 'Australia 915-928 MHz', base_frequency: 915 },
        { id: 'AS923_1', name: 'Asia 923 MHz, group 1', base_frequency: 923 },
        { id: 'AS923_2', name: 'Asia 923 MHz, group 2', base_frequency: 923 },
        { id: 'AS923_3', name: 'Asia 923 MHz, group 3', base_frequency: 923 },
        { id: 'AS923_4', name: 'Asia 923 MHz, group 4', base_frequency: 923 },
        { id: 'IN865', name: 'India 865-867 MHz', base_frequency: 865 },
      ],
    },
  },
  // The API also creates gateways, but needs a group and a type of its own lists, and export
  // configurations, but for whole customers only.
  capabilities: {
    registration: 'api',
    radio: ['1.1', 'abp', 'class_c'],
    renames: true,
    rekeys: true,
    changesJoinEui: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'flush_own',
    holdsUntilReport: true,
    lists: ['devices'],
    rights: ['write_devices', 'send_downlinks'],
  },
  readMessages,
  load: () => import('./connection.ts'),
}

function checkId(field: string) {
  return checkBy(/^[\w-]{1,128}$/, `The ${field} must be an ID of Netmore.`)
}

import { isApiAddress, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at Netmore Connect is made of. */
export const accountFields: readonly AccountField[] = [
  { name: 'api_key', label: 'API key', required: true, secret: true },
  { name: 'customer_id', label: 'Customer ID', required: true, secret: false },
  { name: 'device_group_id', label: 'Device group ID', required: true, secret: false },
  { name: 'profile_id', label: 'Device profile (number)', required: true, secret: false },
  {
    name: 'export_config_group_id',
    label: 'Export configuration group ID',
    required: false,
    secret: false,
  },
  {
    name: 'server',
    label: 'Address of the API, where it is another one',
    required: false,
    secret: false,
  },
]

/** The account's values under our own names. */
export interface NetmoreAccount {
  /** `https://host`, without the path of the API. */
  server: string
  apiKey: string
  customerId: string
  deviceGroupId: string
  profileId: number
  exportConfigGroupId?: string
}

const id = /^[\w-]{1,128}$/

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  const { api_key, profile_id, server } = values
  if (api_key && !isOneWord(api_key)) {
    problems.api_key = 'The API key must be one word without spaces or line breaks.'
  }
  for (const field of ['customer_id', 'device_group_id', 'export_config_group_id']) {
    const value = values[field]
    if (value && !id.test(value)) problems[field] = `The ${field} must be an ID of Netmore.`
  }
  if (profile_id && !/^\d{1,9}$/.test(profile_id)) {
    problems.profile_id = 'The device profile must be its number.'
  }
  if (server && !isApiAddress(server)) {
    problems.server = 'The server must be like https://host or http://host:port, without a path.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): NetmoreAccount {
  const { export_config_group_id: exportConfigGroupId } = values
  return {
    server: values.server || 'https://api.connect.netmoregroup.com',
    apiKey: values.api_key ?? '',
    customerId: values.customer_id ?? '',
    deviceGroupId: values.device_group_id ?? '',
    profileId: Number(values.profile_id),
    ...(exportConfigGroupId ? { exportConfigGroupId } : {}),
  }
}

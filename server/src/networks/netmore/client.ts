import type { AccountValues, ConnectionOptions } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, type RestClient } from '../rest.ts'

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

/** Takes values without faults. */
function readAccount(values: AccountValues): NetmoreAccount {
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

/** What the calls of one account share. */
export interface Session {
  api: RestClient
  account: NetmoreAccount
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const api = openRest({
    name: 'Netmore',
    base: `${account.server}/api/v1`,
    headers: () => ({ 'api-key': account.apiKey }),
    outside,
    secrets: [account.apiKey],
    ...options,
  })
  return { api, account, close: () => api.close() }
}

import type { AccountValues } from '../network.ts'

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

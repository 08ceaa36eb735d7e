import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface ChirpStackAccount {
  server: URL
  apiKey: string
  tenantId: string
  applicationId: string
  deviceProfileId: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): ChirpStackAccount {
  return {
    server: new URL(values.server ?? ''),
    apiKey: values.api_key ?? '',
    tenantId: (values.tenant_id ?? '').toLowerCase(),
    applicationId: (values.application_id ?? '').toLowerCase(),
    deviceProfileId: (values.device_profile_id ?? '').toLowerCase(),
  }
}

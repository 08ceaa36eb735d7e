import { isApiAddress } from '../account-fields.ts'
import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface ActilityAccount {
  /** `https://host`, without a path. */
  server: string
  clientId: string
  clientSecret: string
  asId: string
  /** 32 lower-case digits: signatures hash them in this case. */
  asKey: string
  deviceModelId: string
  baseStationModelId: string | undefined
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): ActilityAccount {
  return {
    server: toAddress(values.server ?? '') ?? '',
    clientId: values.client_id ?? '',
    clientSecret: values.client_secret ?? '',
    asId: values.as_id ?? '',
    asKey: (values.as_key ?? '').toLowerCase(),
    deviceModelId: values.device_model_id ?? '',
    baseStationModelId: values.base_station_model_id || undefined,
  }
}

/** The address of a bare host begins with https://. */
export function toAddress(text: string): string | undefined {
  const address = text.includes('://') ? text : `https://${text}`
  return isApiAddress(address) ? new URL(address).origin : undefined
}

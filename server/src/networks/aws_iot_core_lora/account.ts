import { type AwsAccount, readAwsAccount } from '../aws/account.ts'
import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface LoraAccount extends AwsAccount {
  destination: string
  deviceProfileId: string
  serviceProfileId: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): LoraAccount {
  return {
    ...readAwsAccount(values),
    destination: values.destination ?? '',
    deviceProfileId: values.device_profile_id ?? '',
    serviceProfileId: values.service_profile_id ?? '',
  }
}

import { type AwsAccount, readAwsAccount } from '../aws/account.ts'
import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface ThingsAccount extends AwsAccount {
  /** Devices publish to `<prefix>/<DevEUI>/up`, and listen to `<prefix>/<DevEUI>/down`. */
  topicPrefix: string
  /** Messages are fetched from the broker, in place of being posted to the callback. */
  isSubscribed: boolean
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): ThingsAccount {
  return {
    ...readAwsAccount(values),
    topicPrefix: values.topic_prefix ?? '',
    isSubscribed: Boolean(values.mqtt_url),
  }
}

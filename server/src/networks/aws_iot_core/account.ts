import {
  type AwsAccount,
  accessFields,
  checkAwsFields,
  placeFields,
  readAwsAccount,
} from '../aws/account.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at AWS IoT Core is made of. */
export const accountFields: readonly AccountField[] = [
  ...accessFields,
  { name: 'topic_prefix', label: 'Topic prefix', required: true, secret: false },
  ...placeFields,
]

/** The account's values under our own names. */
export interface ThingsAccount extends AwsAccount {
  /** Devices publish to `<prefix>/<DevEUI>/up`, and listen to `<prefix>/<DevEUI>/down`. */
  topicPrefix: string
  /** Messages are fetched from the broker, in place of being posted to the callback. */
  isSubscribed: boolean
}

/**
 * What may stand both in a topic and in an attribute of a thing, by which ours are known. With the
 * two levels behind it, it stays within the seven slashes of a topic (AWS IoT Core quotas).
 */
const prefix = /^[\w.,@:=-]+(\/[\w.,@:=-]+){0,4}$/

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems = checkAwsFields(values)
  const { topic_prefix } = values
  if (topic_prefix && (topic_prefix.length > 128 || !prefix.test(topic_prefix))) {
    problems.topic_prefix =
      'The topic prefix must be up to five words with slashes between them, such as fleet/sensors.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): ThingsAccount {
  return {
    ...readAwsAccount(values),
    topicPrefix: values.topic_prefix ?? '',
    isSubscribed: Boolean(values.mqtt_url),
  }
}

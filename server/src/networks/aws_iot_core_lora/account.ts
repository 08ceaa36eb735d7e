import {
  type AwsAccount,
  accessFields,
  checkAwsFields,
  placeFields,
  readAwsAccount,
} from '../aws/account.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at AWS IoT Core for LoRaWAN is made of. */
export const accountFields: readonly AccountField[] = [
  ...accessFields,
  { name: 'destination', label: 'Destination name', required: true, secret: false },
  { name: 'device_profile_id', label: 'Device profile ID', required: true, secret: false },
  { name: 'service_profile_id', label: 'Service profile ID', required: true, secret: false },
  ...placeFields,
  { name: 'mqtt_topic', label: 'MQTT topic of the destination', required: false, secret: false },
]

/** The account's values under our own names. */
export interface LoraAccount extends AwsAccount {
  destination: string
  deviceProfileId: string
  serviceProfileId: string
}

/** Ids are up to 256 characters in the API, and UUIDs wherever AWS shows one. */
const id = /^[0-9A-Za-z-]{1,256}$/

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems = checkAwsFields(values)
  // DestinationName of the AWS IoT Wireless API reference, CreateDestination.
  if (values.destination && !/^[a-zA-Z0-9:_-]{1,128}$/.test(values.destination)) {
    problems.destination =
      'The destination must be a name of letters, digits, hyphens, colons and underscores.'
  }
  for (const field of ['device_profile_id', 'service_profile_id']) {
    const value = values[field]
    if (value && !id.test(value)) {
      problems[field] =
        `The ${field.slice(0, -3).replace('_', ' ')} ID must be one such as AWS shows.`
    }
  }
  if (values.mqtt_topic && !isTopicFilter(values.mqtt_topic)) {
    problems.mqtt_topic = 'The MQTT topic must be the one to which the destination publishes.'
  }
  if (values.mqtt_url && !values.mqtt_topic) {
    problems.mqtt_topic = 'The MQTT topic is required with an MQTT address.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): LoraAccount {
  return {
    ...readAwsAccount(values),
    destination: values.destination ?? '',
    deviceProfileId: values.device_profile_id ?? '',
    serviceProfileId: values.service_profile_id ?? '',
  }
}

/** AWS IoT quotas: 256 bytes, seven slashes. */
function isTopicFilter(text: string): boolean {
  return Buffer.byteLength(text) <= 256 && text.split('/').length <= 8 && !/\s/.test(text)
}

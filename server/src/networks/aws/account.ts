import { isApiAddress } from '../api-address.ts'
import { hasPlainHost } from '../mqtt/broker.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What both AWS networks sign their calls with, and where those go. */
export interface AwsAccount {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** In place of every address of AWS: a test system, an endpoint inside a VPC. */
  server?: URL
}

export const accessFields: readonly AccountField[] = [
  { name: 'region', label: 'Region (us-east-1)', required: true, secret: false },
  { name: 'access_key_id', label: 'Access key ID', required: true, secret: false },
  { name: 'secret_access_key', label: 'Secret access key', required: true, secret: true },
]

export const placeFields: readonly AccountField[] = [
  {
    name: 'server',
    label: 'Address of the API, where it is another one',
    required: false,
    secret: false,
  },
  {
    name: 'mqtt_url',
    label: 'MQTT over WebSocket (wss://<id>-ats.iot.<region>.amazonaws.com/mqtt)',
    required: false,
    secret: false,
  },
]

/** Tells what is wrong with the values that are there, by field name. */
export function checkAwsFields(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.region && !/^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(values.region)) {
    problems.region = 'The region must be the name of an AWS Region, such as us-east-1.'
  }
  // AccessKeyId of the IAM API reference: 16 to 128 word characters.
  if (values.access_key_id && !/^\w{16,128}$/.test(values.access_key_id)) {
    problems.access_key_id = 'The access key ID must be 16 to 128 letters and digits.'
  }
  if (values.secret_access_key && !/^[\x21-\x7e]{16,256}$/.test(values.secret_access_key)) {
    problems.secret_access_key =
      'The secret access key must be one word of at least 16 characters, without line breaks.'
  }
  if (values.server && !isApiAddress(values.server)) {
    problems.server = 'The server must be like https://host or http://host:port, without a path.'
  }
  if (values.mqtt_url && !isBroker(values.mqtt_url)) {
    problems.mqtt_url =
      'The MQTT address must be like wss://id-ats.iot.us-east-1.amazonaws.com/mqtt: AWS takes access keys over WebSocket only.'
  }
  return problems
}

/** Takes values that `checkAwsFields` found nothing wrong with. */
export function readAwsAccount(values: AccountValues): AwsAccount {
  return {
    region: values.region ?? '',
    accessKeyId: values.access_key_id ?? '',
    secretAccessKey: values.secret_access_key ?? '',
    ...(values.server ? { server: new URL(values.server) } : {}),
  }
}

/** `iot` is AWS IoT Core, `iotwireless` its LoRaWAN side: the names by which they sign, too. */
export type AwsService = 'iot' | 'iotwireless'

/**
 * AWS General Reference, "AWS IoT Core endpoints" and "AWS IoT Core for LoRaWAN endpoints".
 */
export function addressOf({ region, server }: AwsAccount, service: AwsService): URL {
  if (server) return server
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return new URL(`https://${service === 'iot' ? 'iot' : 'api.iotwireless'}.${region}.${domain}`)
}

function isBroker(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !hasPlainHost(url)) return false
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') return false
  return !url.search && !url.hash && !url.username && !url.password
}

import { checkBy, otherServerField } from '../account-fields.ts'
import { hasPlainHost } from '../mqtt/broker.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** The credentials and the place of calls to AWS. */
export interface AwsAccount {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Replaces every address of AWS: a test system, an endpoint inside a VPC. */
  server?: URL
}

export const accessFields: readonly AccountField[] = [
  {
    name: 'region',
    label: 'Region (us-east-1)',
    required: true,
    check: checkBy(
      /^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/,
      'The region must be the name of an AWS Region, such as us-east-1.',
    ),
  },
  {
    name: 'access_key_id',
    label: 'Access key ID',
    required: true,
    // AccessKeyId of the IAM API reference: 16 to 128 word characters.
    check: checkBy(/^\w{16,128}$/, 'The access key ID must be 16 to 128 letters and digits.'),
  },
  {
    name: 'secret_access_key',
    label: 'Secret access key',
    required: true,
    secret: true,
    check: checkBy(
      /^[\x21-\x7e]{16,256}$/,
      'The secret access key must be one word of at least 16 characters, without line breaks.',
    ),
  },
]

export const placeFields: readonly AccountField[] = [
  otherServerField,
  {
    name: 'mqtt_url',
    label: 'MQTT over WebSocket (wss://<id>-ats.iot.<region>.amazonaws.com/mqtt)',
    check: checkBy(
      isWebSocket,
      'The MQTT address must be like wss://id-ats.iot.us-east-1.amazonaws.com/mqtt: AWS takes access keys over WebSocket only.',
    ),
  },
]

/** Both networks check these before their own. */
export const awsFieldNames = [...accessFields, ...placeFields].map(({ name }) => name)

/** Takes values without faults. */
export function readAwsAccount(values: AccountValues): AwsAccount {
  return {
    region: values.region ?? '',
    accessKeyId: values.access_key_id ?? '',
    secretAccessKey: values.secret_access_key ?? '',
    ...(values.server ? { server: new URL(values.server) } : {}),
  }
}

/** The names of AWS IoT Core and of its LoRaWAN side, also in signatures. */
type AwsService = 'iot' | 'iotwireless'

/** AWS General Reference, "AWS IoT Core endpoints" and "AWS IoT Core for LoRaWAN endpoints". */
export function addressOf({ region, server }: AwsAccount, service: AwsService): URL {
  if (server) return server
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return new URL(`https://${service === 'iot' ? 'iot' : 'api.iotwireless'}.${region}.${domain}`)
}

function isWebSocket(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !hasPlainHost(url)) return false
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') return false
  return !url.search && !url.hash && !url.username && !url.password
}

import { checkBy } from '../account-fields.ts'
import {
  accessFields,
  awsFieldNames,
  awsRegions,
  placeFields,
  readAwsAccount,
} from '../aws/account.ts'
import { readConfirmation } from '../aws/messages.ts'
import { signBrokerAddress } from '../aws/signature.ts'
import { isObject } from '../message-fields.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues, Network } from '../network.ts'
import { readMessages, readUplink } from './messages.ts'

/**
 * AWS IoT Core: a thing for each device, uplinks and downlinks on topics under a prefix, and a rule
 * that brings the uplinks to the callback. docs.aws.amazon.com/iot/latest/apireference
 */
export const awsIotCore: Network = {
  key: 'aws_iot_core',
  alias: 'network_key_5',
  id: 3,
  name: 'AWS IoT Core',
  isLora: false,
  loraVariant: 'aws_iot_core_lora',
  accountFields: [
    ...accessFields,
    {
      name: 'topic_prefix',
      label: 'Topic prefix',
      required: true,
      check: checkBy(
        isPrefix,
        'The topic prefix must be up to five words with slashes between them, such as fleet/sensors.',
      ),
    },
    ...placeFields,
  ],
  checkedFirst: awsFieldNames,
  // A thing has a name and needs nothing else (CreateThing). With a gateway or a frequency plan the
  // device is one of AWS IoT Core for LoRaWAN.
  forms: {
    device: {
      fields: {
        joinEui: 'optional',
        gatewayId: 'optional',
        appRegion: 'optional',
        frequencyPlan: 'optional',
      },
      frequencyPlans: awsRegions,
    },
  },
  // It is a broker: it has no gateways, keeps no queue of downlinks and tells nothing of what
  // became of one.
  capabilities: {
    registration: 'api',
    renames: true,
    downlinks: 'pushed',
    lists: ['devices'],
    callbacks: 'several',
    rights: ['write_devices', 'send_downlinks', 'set_callback'],
  },
  callbackPlace: ['region', 'server', 'topic_prefix'],
  readMessages,
  readConfirmation,
  readBroker,
  load: () => import('./connection.ts'),
}

/**
 * What may stand both in a topic and in an attribute of a thing, by which ours are known. With the
 * two levels behind it, it stays within the seven slashes of a topic (AWS IoT Core quotas).
 */
function isPrefix(text: string): boolean {
  return text.length <= 128 && /^[\w.,@:=-]+(\/[\w.,@:=-]+){0,4}$/.test(text)
}

/**
 * What devices publish, from the broker itself. Without a rule there is no time of AWS's own: an
 * uplink that carries no `time` gets that of its arrival here.
 */
function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, topic_prefix: prefix = '' } = values
  if (!url) return undefined
  const account = readAwsAccount(values)
  return {
    url,
    sign: () => signBrokerAddress(url, account, new Date()),
    topic: `${prefix}/+/up`,
    read: (topic, body, receivedAt) => [
      readUplink(isObject(body) ? { ...body, topic, timestamp: undefined } : body, receivedAt),
    ],
  }
}

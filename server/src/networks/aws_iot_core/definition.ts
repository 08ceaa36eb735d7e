import { checkBy } from '../account-fields.ts'
import { accessFields, awsFieldNames, placeFields, readAwsAccount } from '../aws/account.ts'
import { readConfirmation } from '../aws/messages.ts'
import { signBrokerAddress } from '../aws/signature.ts'
import type { FrequencyPlan } from '../forms.ts'
import { isObject } from '../message-fields.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues, Network } from '../network.ts'
import { readMessages, readUplink } from './messages.ts'

/**
 * The bands that AWS supports (developer guide, "Consider selection of LoRa frequency bands"). Its
 * API has more (`SupportedRfRegion`), which the guide does not explain.
 */
const bands: readonly FrequencyPlan[] = [
  { id: 'EU868', name: 'Europe 863-870 MHz', base_frequency: 868 },
  { id: 'US915', name: 'United States 902-928 MHz', base_frequency: 915 },
  { id: 'AU915', name: 'Australia 915-928 MHz', base_frequency: 915 },
  { id: 'AS923-1', name: 'Asia 923 MHz, group 1', base_frequency: 923 },
]

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
  // A thing needs only a name (CreateThing). A device with a gateway or a frequency plan is one of
  // AWS IoT Core for LoRaWAN.
  forms: {
    device: {
      fields: {
        joinEui: 'optional',
        gatewayId: 'optional',
        appRegion: 'optional',
        frequencyPlan: 'optional',
      },
      frequencyPlans: bands,
    },
  },
  // It is a broker: it has no gateways, keeps no queue of downlinks and reports nothing about them.
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
 * A prefix is part of topics, and an attribute of our things. With its two further levels, a topic
 * has at most seven slashes (AWS IoT Core quotas).
 */
function isPrefix(text: string): boolean {
  return text.length <= 128 && /^[\w.,@:=-]+(\/[\w.,@:=-]+){0,4}$/.test(text)
}

/**
 * What devices publish. Only a rule adds the time of AWS, so an uplink without `time` gets the time
 * of its arrival here.
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

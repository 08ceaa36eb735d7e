import { checkBy } from '../account-fields.ts'
import { accessFields, awsFieldNames, placeFields, readAwsAccount } from '../aws/account.ts'
import { readConfirmation } from '../aws/messages.ts'
import { signBrokerAddress } from '../aws/signature.ts'
import { commonGatewayFields, namedByThemselves } from '../forms.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues, Network } from '../network.ts'
import { readMessage, readMessages } from './messages.ts'

/** CreateWirelessDevice and CreateWirelessGateway. */
const name = { longest: 256, without: '<>^#~$' }

/**
 * AWS IoT Core for LoRaWAN: the API of AWS IoT Wireless, and a rule of AWS IoT Core that brings its
 * uplinks to the callback. docs.aws.amazon.com/iot-wireless/latest/apireference
 */
export const awsIotCoreLora: Network = {
  key: 'aws_iot_core_lora',
  alias: 'network_key_5_lora',
  name: 'AWS IoT Core for LoRaWAN',
  isLora: true,
  profileField: 'device_profile_id',
  accountFields: [
    ...accessFields,
    {
      name: 'destination',
      label: 'Destination name',
      required: true,
      listed: { as: 'Destination' },
      // DestinationName of CreateDestination.
      check: checkBy(
        /^[a-zA-Z0-9:_-]{1,128}$/,
        'The destination must be a name of letters, digits, hyphens, colons and underscores.',
      ),
    },
    {
      name: 'device_profile_id',
      label: 'Device profile ID',
      required: true,
      listed: { as: 'Device profile' },
      check: checkId('device profile ID'),
    },
    {
      name: 'service_profile_id',
      label: 'Service profile ID',
      required: true,
      listed: { as: 'Service profile' },
      check: checkId('service profile ID'),
    },
    ...placeFields,
    {
      name: 'mqtt_topic',
      label: 'MQTT topic of the destination',
      check: checkBy(
        isTopicFilter,
        'The MQTT topic must be the one to which the destination publishes.',
      ),
      neededBy: {
        field: 'mqtt_url',
        problem: 'The MQTT topic is required with an MQTT address.',
      },
    },
  ],
  checkedFirst: awsFieldNames,
  // A gateway needs its EUI and `RfRegion` (CreateWirelessGateway of @aws-sdk/client-iot-wireless).
  forms: {
    gateway: {
      description: 'Have the gateway EUI at hand, and know the region of the gateway.',
      fields: {
        ...commonGatewayFields,
        // The bands that AWS supports, by the service's own names.
        region: {
          validation: 'required',
          values: namedByThemselves(['EU868', 'US915', 'AU915', 'AS923']),
        },
      },
    },
  },
  // It lists the downlinks of a device without their payloads, and reports only that the device
  // acknowledged one.
  capabilities: {
    registration: 'api',
    radio: ['1.1', 'abp', 'class_c'],
    renames: true,
    rekeys: true,
    changesJoinEui: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'one',
    reports: ['acknowledged'],
    lists: ['devices', 'gateways'],
    tellsKeys: 'read',
    // Half of what AWS allows (GetWirelessDevice: 10 in a second), since registrations read devices
    // too.
    deviceReadsPerSecond: 5,
    callbacks: 'several',
    rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
  },
  limits: { deviceName: name, gatewayName: name, gatewayDescription: { longest: 2048 } },
  callbackPlace: ['region', 'server', 'destination'],
  readMessages,
  readConfirmation,
  readBroker,
  load: () => import('./connection.ts'),
}

/** The API allows 256 characters; the ids that AWS makes are UUIDs. */
function checkId(label: string) {
  return checkBy(/^[0-9A-Za-z-]{1,256}$/, `The ${label} must be one such as AWS shows.`)
}

/** AWS IoT quotas: 256 bytes, seven slashes. */
function isTopicFilter(text: string): boolean {
  return Buffer.byteLength(text) <= 256 && text.split('/').length <= 8 && !/\s/.test(text)
}

/** The uplinks that the account's destination publishes to a topic (`MqttTopic`). */
function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, mqtt_topic: topic } = values
  if (!url || !topic) return undefined
  const account = readAwsAccount(values)
  return {
    url,
    sign: () => signBrokerAddress(url, account, new Date()),
    topic,
    read: (_topic, body, receivedAt) => readMessage(body, receivedAt),
  }
}

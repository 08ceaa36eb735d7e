import {
  apiKeyField,
  brokerLoginFields,
  checkBy,
  isApiAddress,
  readBrokerLogin,
} from '../account-fields.ts'
import { commonGatewayFields, regionValues } from '../forms.ts'
import { type Broker, findBrokerFault } from '../mqtt/broker.ts'
import type { AccountValues, Network } from '../network.ts'
import { applicationIds, readIds } from './application-ids.ts'
import { readMessage } from './messages.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * ChirpStack v4: its gRPC API, its HTTP integration (JSON encoding) and its MQTT integration.
 * chirpstack.io/docs/chirpstack/api/index.html
 */
export const chirpstack: Network = {
  key: 'chirpstack',
  alias: 'network_key_9',
  id: 10,
  name: 'ChirpStack v4',
  isLora: true,
  profileField: 'device_profile_id',
  makesProfiles: true,
  accountFields: [
    {
      name: 'server',
      label: 'Server (http://host:8080)',
      required: true,
      check: checkBy(
        isApiAddress,
        'The server must be like http://host:8080 or https://host, without a path.',
      ),
    },
    apiKeyField,
    {
      name: 'tenant_id',
      label: 'Tenant ID',
      required: true,
      listed: { as: 'Tenant' },
      check: checkBy(uuid, 'The tenant ID must be a UUID.'),
    },
    {
      name: 'application_id',
      label: 'Application ID',
      required: true,
      listed: { as: 'Application', within: 'tenant_id' },
      check: checkBy(uuid, 'The application ID must be a UUID.'),
    },
    {
      name: 'more_application_ids',
      label: 'IDs of further applications, separated by commas',
      listed: { as: 'Further applications', within: 'tenant_id', several: true },
      check: checkBy(
        (text) => readIds(text).every((id) => uuid.test(id)),
        'The IDs of further applications must be UUIDs, separated by commas.',
      ),
    },
    {
      name: 'device_profile_id',
      label: 'Device profile ID',
      required: true,
      listed: { as: 'Device profile', within: 'tenant_id' },
      check: checkBy(uuid, 'The device profile ID must be a UUID.'),
    },
    { name: 'mqtt_url', label: 'MQTT broker (mqtt://host:1883)', check: findBrokerFault },
    ...brokerLoginFields,
  ],
  // api/proto/api/device.proto and gateway.proto: the device profile decides the region of a
  // device, the gateway bridge that of a gateway. Both fields are for the records only.
  forms: {
    device: { fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' } },
    gateway: {
      description:
        'Have the gateway EUI at hand. The gateway itself is connected to the gateway bridge of your ChirpStack.',
      fields: { ...commonGatewayFields, region: { validation: 'optional', values: regionValues } },
    },
  },
  // api/proto/api/*.proto. A single item of a device's queue cannot be deleted.
  capabilities: {
    registration: 'api',
    radio: ['1.1', 'abp', 'class_c'],
    renames: true,
    places: ['gateways'],
    rekeys: true,
    changesJoinEui: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'flush',
    holdsUntilReport: true,
    listsQueue: true,
    reports: ['sent', 'acknowledged', 'failed'],
    lists: ['devices', 'gateways'],
    tellsKeys: 'read',
    callbacks: 'several',
    tellsLastSeen: true,
    hasQuota: true,
  },
  // `varchar(100)` of migrations_postgres/00000000000000_initial; a description is `text`.
  limits: { deviceName: { longest: 100 }, gatewayName: { longest: 100 } },
  callbackPlace: ['server', 'application_id'],
  sharesHeaders: true,
  readMessages: (request) => [readMessage(request)],
  readBroker,
  load: () => import('./connection.ts'),
}

/**
 * The account's events by ChirpStack's MQTT integration, with `json=true`. A broker redelivers
 * unacknowledged messages only if ChirpStack publishes at QoS 1: `qos=1` under `[integration.mqtt]`
 * of its configuration. The default is 0.
 */
function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url } = values
  if (!url) return undefined
  const [first, ...others] = applicationIds(values)
  return {
    url,
    ...readBrokerLogin(values),
    // One subscription; with several applications, `read` leaves out those of nobody here.
    topic: `application/${others.length > 0 ? '+' : first}/device/+/event/+`,
    read: (topic, body, receivedAt) => {
      const [, application = '', , , , event = ''] = topic.split('/')
      const isOurs = others.length === 0 || [first, ...others].includes(application)
      return isOurs ? [readMessage({ query: { event }, body, receivedAt })] : []
    },
  }
}

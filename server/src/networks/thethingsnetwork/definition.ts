import { apiKeyField, checkBy } from '../account-fields.ts'
import { commonGatewayFields, type Zone } from '../forms.ts'
import { type Broker, findBrokerFault } from '../mqtt/broker.ts'
import type { AccountValues, Network } from '../network.ts'
import { mqttUserName, readAccount, toServer } from './account.ts'
import { frequencyPlans } from './frequency-plans.ts'
import { readMessage } from './messages.ts'

/**
 * The clusters of The Things Network. The identity server in eu1 keeps the users and gateways of
 * all of them (thethingsindustries.com/docs/the-things-stack/concepts/ttn).
 */
const zones: readonly Zone[] = [
  zoneOf('eu1', 'Europe 1'),
  zoneOf('nam1', 'North America 1'),
  zoneOf('au1', 'Australia 1'),
]

/**
 * The Things Stack v3 (The Things Network, The Things Industries, one's own): its HTTP API, its
 * webhooks and its MQTT server. Facts from TheThingsNetwork/lorawan-stack at 1d21821 (October
 * 2024): api/ttn/lorawan/v3, and the servers below pkg where a file here names them.
 */
export const thethingsnetwork: Network = {
  key: 'thethingsnetwork',
  alias: 'network_key_3',
  id: 5,
  name: 'The Things Stack',
  isLora: true,
  accountFields: [
    {
      name: 'cluster',
      label: 'Cluster',
      required: true,
      check: checkBy(
        isServer,
        'The cluster must be its name, such as eu1, or its address, such as https://tenant.eu1.cloud.thethings.industries.',
      ),
    },
    {
      name: 'application_id',
      label: 'Application ID',
      required: true,
      listed: { as: 'Application' },
      check: checkId('application ID'),
    },
    apiKeyField,
    { name: 'user_id', label: 'User ID (for gateways)', check: checkId('user ID') },
    {
      name: 'organization_id',
      label: 'Organization ID (for gateways)',
      check: (value, values) =>
        checkId('organization ID')(value, values) ??
        (values.user_id
          ? 'Gateways belong to a user or to an organization: leave one out.'
          : undefined),
    },
    {
      name: 'identity_server',
      label: 'Identity server, where it is in another cluster',
      check: checkBy(
        isServer,
        'The identity server must be the name of its cluster or its address, such as https://host.',
      ),
    },
    { name: 'mqtt_url', label: 'MQTT server (mqtts://host:8883)', check: findBrokerFault },
    { name: 'mqtt_username', label: 'MQTT user name' },
  ],
  checkedFirst: ['cluster', 'identity_server', 'application_id', 'user_id', 'organization_id'],
  // Devices and gateways need a frequency plan (`frequency_plan_id`, `frequency_plan_ids`).
  forms: {
    device: {
      fields: {
        joinEui: 'optional',
        gatewayId: 'optional',
        appRegion: 'optional',
        frequencyPlan: 'required',
      },
      frequencyPlans,
    },
    gateway: {
      description:
        'Have the gateway EUI at hand. Choose the zone that your account is in, and the frequency plan of its location.',
      fields: {
        ...commonGatewayFields,
        frequencyPlans: {
          validation: 'required',
          values: Object.fromEntries(frequencyPlans.map(({ id, name }) => [id, name])),
        },
        zoneId: {
          validation: 'required',
          values: Object.fromEntries(zones.map(({ id, region }) => [id, region])),
        },
      },
      zones,
      frequencyPlans,
    },
  },
  // Replacing the queue of a device by all other items takes one item out of it
  // (applicationserver.proto, `DownlinkQueueReplace`).
  capabilities: {
    registration: 'api',
    radio: ['1.1', 'abp', 'class_c'],
    renames: true,
    places: ['devices', 'gateways'],
    rekeys: true,
    gateways: true,
    downlinks: 'pushed',
    confirmed: true,
    cancel: 'one',
    listsQueue: true,
    reports: ['sent', 'acknowledged', 'failed'],
    lists: ['devices', 'gateways'],
    tellsKeys: 'read',
    callbacks: 'several',
    pausesCallbacks: true,
    tellsLastSeen: true,
    rights: ['write_devices', 'read_gateways', 'write_gateways', 'send_downlinks', 'set_callback'],
  },
  // In code points (`max_len` of end_device.proto and gateway.proto). A description has 2,000.
  limits: { deviceName: { longest: 50 }, gatewayName: { longest: 50 } },
  callbackPlace: ['cluster', 'application_id'],
  readMessages: (request) => [readMessage(request)],
  readBroker,
  load: () => import('./connection.ts'),
}

function isServer(text: string): boolean {
  return toServer(text) !== undefined
}

/** identifiers.proto; user IDs may have two characters. */
function checkId(label: string) {
  const isId = (id: string) => /^[a-z0-9](-?[a-z0-9])+$/.test(id) && id.length <= 36
  return checkBy(isId, `The ${label} must be of lower-case letters, digits and single dashes.`)
}

function zoneOf(id: string, region: string): Zone {
  const address = `${id}.cloud.thethings.network`
  return {
    id,
    region,
    ns_address: address,
    as_address: address,
    js_address: address,
    is_address: 'eu1.cloud.thethings.network',
  }
}

/**
 * The application's messages by the MQTT server of The Things Stack
 * (pkg/applicationserver/io/mqtt/topics/v3.go). It delivers at QoS 0 only and never resends a
 * message that nobody listened to, so the webhook stays.
 */
function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, mqtt_username: named } = values
  if (!url) return undefined
  const account = readAccount(values)
  const username = named || mqttUserName(account)
  return {
    url,
    username,
    password: account.apiKey,
    topic: `v3/${username}/devices/+/#`,
    read: (_topic, body, receivedAt) => [readMessage({ body, receivedAt })],
  }
}

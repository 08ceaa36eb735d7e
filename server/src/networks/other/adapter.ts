import { type Broker, findBrokerFault } from '../mqtt/broker.ts'
import {
  type AccountField,
  type AccountValues,
  type NetworkAdapter,
  type NetworkConnection,
  NetworkError,
} from '../network.ts'
import type { Outside } from '../outside.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

const accountFields: readonly AccountField[] = [
  { name: 'mqtt_url', label: 'MQTT broker (mqtt://host:1883)', required: true, secret: false },
  { name: 'mqtt_username', label: 'MQTT user name', required: false, secret: false },
  { name: 'mqtt_password', label: 'MQTT password', required: false, secret: true },
  { name: 'mqtt_topic', label: 'Topic of the uplinks', required: false, secret: false },
]

/** `lorawan/<APP-EUI>/<DEV-EUI>/up`, MultiTechSystems/lorawan-app-connect README. */
const defaultTopic = 'lorawan/+/+/up'

/**
 * Gateways with a network server of their own that publish what they hear to a broker. There is no
 * API to call: the account is the broker. By HTTP such a gateway has an address and a token of its
 * own (`receive-gateway-message.ts`).
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount(values) {
    const problems: Record<string, string> = {}
    const fault = values.mqtt_url ? findBrokerFault(values.mqtt_url) : undefined
    if (fault) problems.mqtt_url = fault
    // MQTT 3.1.1 has no password without a user name (section 3.1.2.9).
    if (values.mqtt_password && !values.mqtt_username) {
      problems.mqtt_username = 'The MQTT user name is required with an MQTT password.'
    }
    return problems
  },
  capabilities,
  connect,
  readMessages: ({ body, receivedAt }) => readMessages(body, receivedAt),
  readBroker,
}

async function connect(values: AccountValues, outside: Outside): Promise<NetworkConnection> {
  const refuse = async () => {
    throw new NetworkError('refused', 'Gateways of kind other take nothing from here.')
  }
  return {
    async check() {
      const { probeBroker } = await import('../mqtt/client.ts')
      await probeBroker({ ...loginOf(values), outside })
    },
    addDevice: refuse,
    renameDevice: refuse,
    removeDevice: refuse,
    queueDownlink: refuse,
    close: () => {},
  }
}

function readBroker(values: AccountValues): Broker {
  return {
    ...loginOf(values),
    topic: values.mqtt_topic || defaultTopic,
    read: (_topic, body, receivedAt) => readMessages(body, receivedAt),
  }
}

function loginOf({ mqtt_url: url = '', mqtt_username, mqtt_password }: AccountValues) {
  return {
    url,
    ...(mqtt_username ? { username: mqtt_username } : {}),
    ...(mqtt_username && mqtt_password ? { password: mqtt_password } : {}),
  }
}

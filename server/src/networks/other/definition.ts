import { brokerLoginFields, readBrokerLogin } from '../account-fields.ts'
import { commonGatewayFields, regionValues } from '../forms.ts'
import { findBrokerFault } from '../mqtt/broker.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/** `lorawan/<APP-EUI>/<DEV-EUI>/up`, MultiTechSystems/lorawan-app-connect README. */
const defaultTopic = 'lorawan/+/+/up'

/**
 * Gateways with a network server of their own. They are recorded here and never called. The account
 * is the broker to which they publish. By HTTP, each gateway has an address and a token of its own
 * (`receive-gateway-message.ts`).
 */
export const other: Network = {
  key: 'other',
  name: 'Other',
  isLora: false,
  accountFields: [
    {
      name: 'mqtt_url',
      label: 'MQTT broker (mqtt://host:1883)',
      required: true,
      check: findBrokerFault,
    },
    ...brokerLoginFields,
    { name: 'mqtt_topic', label: 'Topic of the uplinks' },
  ],
  forms: {
    gateway: {
      description:
        'Any gateway with a network server of its own that posts JSON (MultiTech, Milesight, Tektelic). Register it, then enter its address and token as the destination of its uplinks.',
      fields: { ...commonGatewayFields, region: { validation: 'optional', values: regionValues } },
    },
  },
  capabilities: { registration: 'by_hand' },
  readMessages: ({ body, receivedAt }) => readMessages(body, receivedAt),
  readBroker: (values) => ({
    url: values.mqtt_url ?? '',
    ...readBrokerLogin(values),
    topic: values.mqtt_topic || defaultTopic,
    read: (_topic, body, receivedAt) => readMessages(body, receivedAt),
  }),
  load: () => import('./connection.ts'),
}

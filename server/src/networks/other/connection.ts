import { readBrokerLogin } from '../account-fields.ts'
import { probeBroker } from '../mqtt/client.ts'
import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'

/** There is no API. Only the login at the broker is checked. */
export function openConnection(values: AccountValues, outside: Outside): NetworkConnection {
  const broker = { url: values.mqtt_url ?? '', ...readBrokerLogin(values) }
  return { check: () => probeBroker({ ...broker, outside }) }
}

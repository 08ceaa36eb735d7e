import type { AwsAccount } from './account.ts'
import { signAddress, toSigningTime } from './signature.ts'

/** From being signed to being looked at: a connection that is open is not ended by it. */
const validSeconds = 300

/**
 * The address of the account's MQTT broker, signed now. AWS IoT takes access keys as a signed
 * WebSocket address (developer guide, "MQTT over WSS": service `iotdevicegateway`), which has to be
 * a new one at each connection.
 */
export function signBrokerAddress(url: string, account: AwsAccount, now: Date): string {
  const { accessKeyId, secretAccessKey, region } = account
  const time = toSigningTime(now)
  const signing = { accessKeyId, secretAccessKey, region, service: 'iotdevicegateway', time }
  return signAddress(new URL(url), signing, validSeconds)
}

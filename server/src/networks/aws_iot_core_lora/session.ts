import type { IoTClient } from '@aws-sdk/client-iot'
import { IoTWirelessClient } from '@aws-sdk/client-iot-wireless'
import { addressOf } from '../aws/account.ts'
import {
  type CallOptions,
  clientSettings,
  explainErrors,
  guardRequests,
  outermost,
} from '../aws/client.ts'
import type { Outside } from '../outside.ts'
import type { LoraAccount } from './account.ts'

/** What the calls of one account share. Every call throws `NetworkError`. */
export interface Session {
  account: LoraAccount
  outside: Outside
  wireless: IoTWirelessClient
  /** AWS IoT Core, in which the callback is entered; its client is loaded for that alone. */
  openRules(): Promise<IoTClient>
  close(): void
}

export function openSession(
  account: LoraAccount,
  outside: Outside,
  options?: CallOptions,
): Session {
  const address = addressOf(account, 'iotwireless')
  const wireless = new IoTWirelessClient(clientSettings(account, address, outside))
  guardRequests(wireless.config, outside, options)
  wireless.middlewareStack.add(explainErrors(account, address, outside.pace), outermost)
  let rules: Promise<IoTClient> | undefined
  return {
    account,
    outside,
    wireless,
    openRules() {
      rules ??= import('../aws/iot-client.ts').then(({ openIot }) =>
        openIot(account, outside, options),
      )
      return rules
    },
    close() {
      wireless.destroy()
      rules?.then((client) => client.destroy()).catch(() => undefined)
    },
  }
}

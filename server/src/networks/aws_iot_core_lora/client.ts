import type { IoTClient } from '@aws-sdk/client-iot'
import { IoTWirelessClient } from '@aws-sdk/client-iot-wireless'
import { type AwsAccount, addressOf, readAwsAccount } from '../aws/account.ts'
import { openAwsClient } from '../aws/client.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import type { Outside } from '../outside.ts'

/** The account's values under our own names. */
interface LoraAccount extends AwsAccount {
  destination: string
  deviceProfileId: string
  serviceProfileId: string
}

/** Takes values without faults. */
function readAccount(values: AccountValues): LoraAccount {
  return {
    ...readAwsAccount(values),
    destination: values.destination ?? '',
    deviceProfileId: values.device_profile_id ?? '',
    serviceProfileId: values.service_profile_id ?? '',
  }
}

/** What the calls of one account share. Every call throws `NetworkError`. */
export interface Session {
  account: LoraAccount
  outside: Outside
  wireless: IoTWirelessClient
  /** AWS's ids of devices by DevEUI, which every call about a queue needs. */
  deviceIds: Map<string, string>
  /** AWS IoT Core, which holds the callback. Its client is loaded only for that. */
  openRules(): Promise<IoTClient>
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const address = addressOf(account, 'iotwireless')
  const wireless = openAwsClient(IoTWirelessClient, { account, address, outside }, options)
  let rules: Promise<IoTClient> | undefined
  return {
    account,
    outside,
    wireless,
    deviceIds: new Map(),
    openRules() {
      const iot = { account, address: addressOf(account, 'iot'), outside }
      rules ??= import('@aws-sdk/client-iot').then(({ IoTClient }) =>
        openAwsClient(IoTClient, iot, options),
      )
      return rules
    },
    close() {
      wireless.destroy()
      rules?.then((client) => client.destroy()).catch(() => undefined)
    },
  }
}

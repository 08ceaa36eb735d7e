import { DescribeEndpointCommand, IoTClient } from '@aws-sdk/client-iot'
import { IoTDataPlaneClient } from '@aws-sdk/client-iot-data-plane'
import { type AwsAccount, addressOf, readAwsAccount } from '../aws/account.ts'
import { openAwsClient } from '../aws/client.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'

/** The account's values under our own names. */
interface ThingsAccount extends AwsAccount {
  /** Devices publish to `<prefix>/<DevEUI>/up`, and listen to `<prefix>/<DevEUI>/down`. */
  topicPrefix: string
  /** Messages are fetched from the broker, in place of being posted to the callback. */
  isSubscribed: boolean
}

/** Takes values without faults. */
function readAccount(values: AccountValues): ThingsAccount {
  return {
    ...readAwsAccount(values),
    topicPrefix: values.topic_prefix ?? '',
    isSubscribed: Boolean(values.mqtt_url),
  }
}

/** What the calls of one account share. Every call throws `NetworkError`. */
export interface Session {
  account: ThingsAccount
  outside: Outside
  iot: IoTClient
  /** The side of AWS IoT Core that publishes, at an address of the account's own. */
  openData(): Promise<IoTDataPlaneClient>
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const address = addressOf(account, 'iot')
  const iot = openAwsClient(IoTClient, { account, address, outside }, options)
  let data: Promise<IoTDataPlaneClient> | undefined
  const open = async () => {
    const address = account.server ?? (await findDataAddress(iot))
    return openAwsClient(IoTDataPlaneClient, { account, address, outside }, options)
  }
  return {
    account,
    outside,
    iot,
    openData() {
      data ??= open().catch((error) => {
        data = undefined
        throw error
      })
      return data
    },
    close() {
      iot.destroy()
      data?.then((client) => client.destroy()).catch(() => undefined)
    },
  }
}

/** Also proves the access key. */
export async function findDataAddress(iot: IoTClient): Promise<URL> {
  const query = new DescribeEndpointCommand({ endpointType: 'iot:Data-ATS' })
  const { endpointAddress } = await iot.send(query)
  const address = URL.parse(`https://${endpointAddress}`)
  if (address) return address
  throw new NetworkError('unreachable', 'AWS IoT did not name the address of its data endpoint.')
}

// The downlink queue of a device: AWS IoT Wireless API reference, SendDataToWirelessDevice,
// ListQueuedMessages, DeleteQueuedMessages.
import {
  DeleteQueuedMessagesCommand,
  paginateListQueuedMessages,
  SendDataToWirelessDeviceCommand,
} from '@aws-sdk/client-iot-wireless'
import type { NetworkDownlink } from '../device-queue.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { isMissing } from '../rest.ts'
import type { Session } from './client.ts'
import { findDevice, missingDevice } from './devices.ts'

const longestMemory = 10_000

/** Returns AWS's id of the message. */
export async function queueDownlink(
  session: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
): Promise<string> {
  const answer = await callWithId(session, devEui, (id) =>
    session.wireless.send(
      new SendDataToWirelessDeviceCommand({
        Id: id,
        TransmitMode: confirmed ? 1 : 0,
        PayloadData: Buffer.from(payload).toString('base64'),
        WirelessMetadata: { LoRaWAN: { FPort: fPort } },
      }),
    ),
  )
  if (!answer) throw missingDevice(devEui)
  if (answer.MessageId) return answer.MessageId
  throw new NetworkError('unreachable', 'AWS queued the downlink and gave no id of it.')
}

/**
 * AWS answers alike whether it deleted a message or did not have it, so the queue is listed first.
 */
export async function cancelDownlink(
  session: Session,
  devEui: string,
  messageId: string,
): Promise<boolean> {
  try {
    const isTakenOut = await callWithId(session, devEui, async (id) => {
      if (!(await isQueued(session, id, messageId))) return false
      const message = { Id: id, MessageId: messageId, WirelessDeviceType: 'LoRaWAN' } as const
      await session.wireless.send(new DeleteQueuedMessagesCommand(message))
      return true
    })
    return isTakenOut === true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function isQueued({ wireless }: Session, id: string, messageId: string): Promise<boolean> {
  const query = { Id: id, WirelessDeviceType: 'LoRaWAN' } as const
  for await (const page of limitPages(
    'AWS',
    paginateListQueuedMessages({ client: wireless }, query),
  )) {
    const messages = page.DownlinkQueueMessagesList ?? []
    if (messages.some(({ MessageId }) => MessageId === messageId)) return true
  }
  return false
}

/**
 * Looks the id up again if AWS no longer knows it: a device that was created again has a new id.
 * Undefined if there is no such device.
 */
async function callWithId<Result>(
  session: Session,
  devEui: string,
  call: (id: string) => Promise<Result>,
): Promise<Result | undefined> {
  const { deviceIds: known } = session
  const remembered = known.get(devEui)
  if (remembered !== undefined) {
    try {
      return await call(remembered)
    } catch (error) {
      if (!isMissing(error)) throw error
      known.delete(devEui)
    }
  }
  const id = (await findDevice(session, devEui))?.Id
  if (id === undefined) return undefined
  if (known.size >= longestMemory) known.clear()
  known.set(devEui, id)
  return call(id)
}

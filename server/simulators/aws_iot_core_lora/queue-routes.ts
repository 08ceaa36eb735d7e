// The calls about the downlink queue of a device: AWS IoT Wireless API reference,
// SendDataToWirelessDevice, ListQueuedMessages, DeleteQueuedMessages.
import { isObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { invalid, missing } from './refusals.ts'
import type { WirelessSide } from './store.ts'
import { findDevice } from './wireless-routes.ts'

export function createQueueRoutes(side: WirelessSide): FarRoute[] {
  const about =
    (handle: (device: Device, call: FarCall) => FarAnswer) =>
    (call: FarCall): FarAnswer => {
      const device = findDevice(side, call.params.id)
      return device ? handle(device, call) : missing('WirelessDevice')
    }
  return [
    ['POST', '/wireless-devices/:id/data', about((device, call) => send(side, device, call))],
    ['GET', '/wireless-devices/:id/data', about(list)],
    ['DELETE', '/wireless-devices/:id/data', about(remove)],
  ]
}

type Device = NonNullable<ReturnType<typeof findDevice>>

function send({ random }: WirelessSide, device: Device, { body }: FarCall): FarAnswer {
  const sent = isObject(body) ? body : {}
  const metadata = isObject(sent.WirelessMetadata) ? sent.WirelessMetadata : {}
  const fPort = isObject(metadata.LoRaWAN) ? metadata.LoRaWAN.FPort : undefined
  if (sent.TransmitMode !== 0 && sent.TransmitMode !== 1) {
    return invalid('TransmitMode must be 0 or 1.')
  }
  if (typeof sent.PayloadData !== 'string') return invalid('PayloadData is required.')
  if (typeof fPort !== 'number' || fPort < 1 || fPort > 223)
    return invalid('FPort must be 1 to 223.')
  const data = Buffer.from(sent.PayloadData, 'base64')
  const id = random.uuid()
  device.queue.push({ id, fPort, data, confirmed: sent.TransmitMode === 1 })
  return { status: 202, body: { MessageId: id } }
}

function list({ queue }: Device): FarAnswer {
  const DownlinkQueueMessagesList = queue.map(({ id, fPort, confirmed }) => ({
    MessageId: id,
    TransmitMode: confirmed ? 1 : 0,
    LoRaWAN: { FPort: fPort },
  }))
  return { status: 200, body: { DownlinkQueueMessagesList } }
}

function remove(device: Device, { query }: FarCall): FarAnswer {
  const { messageId } = query
  if (messageId === undefined) return invalid('messageId is required.')
  device.queue = messageId === '*' ? [] : device.queue.filter(({ id }) => id !== messageId)
  return { status: 204 }
}

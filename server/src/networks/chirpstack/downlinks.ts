// The downlink queue of a device, api/proto/api/device.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import type { NetworkDownlink, QueuedDownlink } from '../network.ts'
import type { Session } from './client.ts'
import { callAboutDevice } from './devices.ts'

const service = deviceGrpc.DeviceServiceService

/** Returns the UUID by which the events `txack`, `ack` and `log` name the item. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  const item = new devicePb.DeviceQueueItem()
  item.setDevEui(devEui.toLowerCase())
  item.setFPort(fPort)
  item.setData(payload)
  item.setConfirmed(confirmed)
  const request = new devicePb.EnqueueDeviceQueueItemRequest()
  request.setQueueItem(item)
  const response = await callAboutDevice(session, devEui, () =>
    session.client.call(service.enqueue, request),
  )
  return response.getId()
}

export async function listDownlinks(session: Session, devEui: string): Promise<QueuedDownlink[]> {
  const request = new devicePb.GetDeviceQueueItemsRequest()
  request.setDevEui(devEui.toLowerCase())
  const response = await callAboutDevice(session, devEui, () =>
    session.client.call(service.getQueue, request),
  )
  return response.getResultList().map((item) => ({
    id: item.getId(),
    fPort: item.getFPort(),
    payload: item.getData_asU8(),
    confirmed: item.getConfirmed(),
    isPending: item.getIsPending(),
  }))
}

/** Also drops the item that waits for its acknowledgement. */
export async function flushDownlinks(session: Session, devEui: string): Promise<void> {
  const request = new devicePb.FlushDeviceQueueRequest()
  request.setDevEui(devEui.toLowerCase())
  await callAboutDevice(session, devEui, () => session.client.call(service.flushQueue, request))
}

/** Application and network frames together: in LoRaWAN 1.0.x they share the network's counter. */
export async function countDownlinkFrames(session: Session, devEui: string): Promise<number> {
  const request = new devicePb.GetDeviceActivationRequest()
  request.setDevEui(devEui.toLowerCase())
  const response = await callAboutDevice(session, devEui, () =>
    session.client.call(service.getActivation, request),
  )
  const activation = response.getDeviceActivation()
  return activation ? activation.getAFCntDown() + activation.getNFCntDown() : 0
}

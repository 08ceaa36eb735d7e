// The downlink queue of a device, api/proto/api/device.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import type { DeviceSession, NetworkDownlink, QueuedDownlink } from '../device-queue.ts'
import type { Session } from './client.ts'
import { callAboutDevice } from './devices.ts'
import { profileMilliseconds, readProfile } from './radio.ts'

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
    // The counter is set when the item is sent to a gateway and never reset
    // (chirpstack/src/downlink/data.rs). That of the first frame is 0, as that of a waiting item.
    isWithGateway: item.getFCntDown() > 0 && !item.getIsPending(),
  }))
}

/** Also removes the item that waits for its acknowledgement. */
export async function flushDownlinks(session: Session, devEui: string): Promise<void> {
  const request = new devicePb.FlushDeviceQueueRequest()
  request.setDevEui(devEui.toLowerCase())
  await callAboutDevice(session, devEui, () => session.client.call(service.flushQueue, request))
}

/**
 * Counts application and network frames together: in LoRaWAN 1.0.x they share the network's
 * counter. ChirpStack advances the uplink counter before it reads the queue
 * (chirpstack/src/uplink/data.rs).
 */
export async function readSession(
  session: Session,
  devEui: string,
): Promise<DeviceSession | undefined> {
  const { client } = session
  const request = new devicePb.GetDeviceActivationRequest()
  request.setDevEui(devEui.toLowerCase())
  const device = new devicePb.GetDeviceRequest()
  device.setDevEui(devEui.toLowerCase())
  const [answer, found] = await callAboutDevice(session, devEui, () =>
    Promise.all([client.call(service.getActivation, request), client.call(service.get, device)]),
  )
  const activation = answer.getDeviceActivation()
  if (!activation) return undefined
  const profileId = found.getDevice()?.getDeviceProfileId() ?? ''
  const { flushesQueue } = await readProfile(session, profileId, profileMilliseconds)
  return {
    uplinks: activation.getFCntUp(),
    downlinks: activation.getAFCntDown() + activation.getNFCntDown(),
    isListening: found.getClassEnabled() !== commonPb.DeviceClass.CLASS_A,
    isDroppedAtJoin: flushesQueue,
  }
}

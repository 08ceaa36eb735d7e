import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, {
  type EnqueueDeviceQueueItemRequest,
} from '@chirpstack/chirpstack-api/api/device_pb.js'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import { type CallContext, invalid, serve } from './grpc-server.ts'
import { requireDevice } from './rights.ts'
import type { QueueItem } from './store.ts'

const service = deviceGrpc.DeviceServiceService

/** The calls about the downlink queue of a device, and about its frame counters. */
export function createQueueCalls(context: CallContext): UntypedServiceImplementation {
  return {
    enqueue: serve(context, service.enqueue, (request) => enqueue(context, request)),
    flushQueue: serve(context, service.flushQueue, (request) => {
      requireDevice(context, request.getDevEui()).queue = []
      return undefined
    }),
    getActivation: serve(context, service.getActivation, (request) => {
      const { session, activation: given } = requireDevice(context, request.getDevEui())
      const response = new devicePb.GetDeviceActivationResponse()
      if (!session) return response
      const activation = new devicePb.DeviceActivation()
      activation.setDevEui(request.getDevEui())
      activation.setDevAddr(session.devAddr)
      activation.setAppSKey(given?.getAppSKey() ?? '')
      activation.setNwkSEncKey(given?.getNwkSEncKey() ?? '')
      activation.setSNwkSIntKey(given?.getSNwkSIntKey() ?? '')
      activation.setFNwkSIntKey(given?.getFNwkSIntKey() ?? '')
      activation.setFCntUp(session.fCntUp)
      activation.setNFCntDown(session.fCntDown)
      response.setDeviceActivation(activation)
      return response
    }),
    getQueue: serve(context, service.getQueue, (request) => {
      const { queue } = requireDevice(context, request.getDevEui())
      const response = new devicePb.GetDeviceQueueItemsResponse()
      response.setTotalCount(queue.length)
      response.setResultList(queue.map((item) => toRecord(request.getDevEui(), item)))
      return response
    }),
  }
}

function enqueue(context: CallContext, request: EnqueueDeviceQueueItemRequest) {
  const record = request.getQueueItem()
  if (!record) throw invalid('queue_item is missing')
  const device = requireDevice(context, record.getDevEui())
  if (record.getFPort() < 1 || record.getFPort() > 255) {
    throw invalid('Validation error: FPort must be between 1 - 255')
  }
  if (request.getFlushQueue()) device.queue = device.queue.filter((item) => item.isPending)
  const expiresAt: Date | undefined = record.getExpiresAt()?.toDate()
  const item: QueueItem = {
    id: context.random.uuid(),
    fPort: record.getFPort(),
    data: Buffer.from(record.getData_asU8()),
    confirmed: record.getConfirmed(),
    ...(expiresAt ? { expiresAt: expiresAt.getTime() } : {}),
    fCntDown: undefined,
    isPending: false,
  }
  device.queue.push(item)
  const response = new devicePb.EnqueueDeviceQueueItemResponse()
  response.setId(item.id)
  return response
}

function toRecord(devEui: string, item: QueueItem) {
  const record = new devicePb.DeviceQueueItem()
  record.setId(item.id)
  record.setDevEui(devEui)
  record.setFPort(item.fPort)
  record.setData(item.data)
  record.setConfirmed(item.confirmed)
  record.setIsPending(item.isPending)
  record.setFCntDown(item.fCntDown ?? 0)
  return record
}

import { acknowledgeFrame, nextFrame } from '../../simulator/sensor-frames.ts'
import {
  type ChirpStackEvent,
  createAcknowledgementEvent,
  createJoinEvent,
  createLogEvent,
  createTransmissionEvent,
  createUplinkEvent,
  type EventSource,
} from './events.ts'
import type { Faults } from './faults.ts'
import type { QueueItem, RadioSession, StoredDevice } from './store.ts'

export interface Radio extends EventSource {
  faults: Faults
  send(event: ChirpStackEvent): Promise<void>
}

/** The largest payload of an uplink or downlink at DR 3 to 5 of EU868, RP002-1.0.4 table 13. */
const payloadLimit = 222
const configurationLength = 8

/** Joins, if the device has not joined before. */
export async function join(radio: Radio, device: StoredDevice): Promise<RadioSession> {
  if (device.session) return device.session
  const session: RadioSession = {
    devAddr: radio.random.hexadecimal(4),
    fCntUp: 0,
    fCntDown: 0,
    isAcknowledgementDue: false,
  }
  device.session = session
  await radio.send(createJoinEvent(radio, device, session))
  return session
}

/**
 * One uplink, the downlink that it opens the window for, and the device's answers to it, until
 * the queue has nothing to send. Without a payload it is the next frame of the sensor.
 */
export async function transmit(
  radio: Radio,
  device: StoredDevice,
  payload?: Uint8Array,
): Promise<void> {
  const session = await join(radio, device)
  let frame: { fPort: number; data: Uint8Array } | undefined = {
    fPort: device.sensor.port,
    data: payload ?? nextFrame(device.sensor, radio.random),
  }
  while (frame) {
    await sendUplink(radio, device, session, frame)
    const downlink = await sendDownlink(radio, device, session)
    frame = downlink && answer(device, session, downlink)
  }
}

async function sendUplink(
  radio: Radio,
  device: StoredDevice,
  session: RadioSession,
  frame: { fPort: number; data: Uint8Array },
) {
  const fCnt = session.fCntUp
  session.fCntUp += 1
  const uplink = createUplinkEvent(radio, device, { session, fCnt, ...frame })
  await radio.send(uplink)
  const item = device.queue.find(({ isPending }) => isPending)
  if (!item) return
  device.queue = device.queue.filter((other) => other !== item)
  const isAcknowledged = session.isAcknowledgementDue
  session.isAcknowledgementDue = false
  const deduplicationId = String(uplink.body.deduplicationId)
  const event = createAcknowledgementEvent(radio, device, { item, isAcknowledged, deduplicationId })
  await radio.send(event)
}

/** Sends the head of the queue, and returns it if the device heard it. */
async function sendDownlink(
  radio: Radio,
  device: StoredDevice,
  session: RadioSession,
): Promise<QueueItem | undefined> {
  const item = await takeHead(radio, device)
  if (!item) return undefined
  item.fCntDown = session.fCntDown
  session.fCntDown += 1
  if (item.confirmed) item.isPending = true
  else device.queue = device.queue.filter((other) => other !== item)
  await radio.send(createTransmissionEvent(radio, device, item))
  if (radio.random.isTrue(radio.faults.downlinkLossRate)) return undefined
  session.isAcknowledgementDue = item.confirmed
  return item
}

/** The first item that can be sent; those before it that can't are logged and dropped. */
async function takeHead(radio: Radio, device: StoredDevice): Promise<QueueItem | undefined> {
  for (const item of [...device.queue]) {
    const log = explainDiscard(item, radio.now())
    if (!log) return item
    device.queue = device.queue.filter((other) => other !== item)
    await radio.send(createLogEvent(radio, device, log))
  }
  return undefined
}

/** In the words of chirpstack/src/downlink/data.rs. */
function explainDiscard(item: QueueItem, now: number) {
  if (item.expiresAt !== undefined && item.expiresAt < now) {
    const description = 'Device queue-item discarded because it has expired'
    return { code: 'EXPIRED', description, context: { queue_item_id: item.id } }
  }
  if (item.data.length <= payloadLimit) return undefined
  return {
    code: 'DOWNLINK_PAYLOAD_SIZE',
    description: 'Device queue-item discarded because it exceeds the max. payload size',
    context: {
      max_payload_size: String(payloadLimit),
      item_size: String(item.data.length),
      queue_item_id: item.id,
    },
  }
}

/** A configuration is answered by an acknowledge frame, another confirmed one by an empty frame. */
function answer(device: StoredDevice, session: RadioSession, { data }: QueueItem) {
  if (data.length === configurationLength) {
    const acknowledgement = acknowledgeFrame(device.sensor, data)
    return { fPort: device.sensor.port, data: acknowledgement }
  }
  return session.isAcknowledgementDue ? { fPort: 0, data: new Uint8Array() } : undefined
}

import { setTimeout as sleep } from 'node:timers/promises'
import { acknowledgeFrame, nextFrame } from '../sensor-frames.ts'
import type { Faults } from './faults.ts'
import {
  type ChirpStackEvent,
  createAcknowledgementEvent,
  createJoinEvent,
  createLogEvent,
  createTransmissionEvent,
  createUplinkEvent,
  type EventSource,
} from './messages.ts'
import type { QueueItem, RadioSession, StoredDevice } from './store.ts'

export interface Radio extends EventSource {
  faults: Faults
  send(event: ChirpStackEvent): Promise<void>
}

/** The largest payload of an uplink or downlink at DR 3 to 5 of EU868, RP002-1.0.4 table 13. */
const payloadLimit = 222
const configurationLength = 8

/** Joins, if the device has not joined before. */
async function join(radio: Radio, device: StoredDevice): Promise<RadioSession> {
  return device.session ?? rejoin(radio, device)
}

/**
 * Begins a new session. If the device profile requires it, this empties the device's queue.
 * ChirpStack sends no event about the removed items.
 */
export async function rejoin(radio: Radio, device: StoredDevice): Promise<RadioSession> {
  const session = beginSession(radio.random.hexadecimal(4))
  device.session = session
  const profile = radio.store.deviceProfiles.get(device.record.getDeviceProfileId())
  if (profile?.flushQueueOnActivate) device.queue = []
  await radio.send(createJoinEvent(radio, device, session))
  return session
}

export function beginSession(devAddr: string): RadioSession {
  return { devAddr, fCntUp: 0, fCntDown: 0, lastHeard: -1, isAcknowledgementDue: false }
}

interface Frame {
  fPort: number
  data: Uint8Array
}

/**
 * Sends one uplink, then the downlink in its receive window, then the device's answer, until the
 * queue has nothing to send. Without a payload, the uplink is the next frame of the sensor.
 */
export async function transmit(
  radio: Radio,
  device: StoredDevice,
  payload?: Uint8Array,
): Promise<void> {
  const data = payload ?? nextFrame(device.sensor, radio.random)
  await converse(radio, device, { fPort: device.sensor.port, data })
}

async function converse(radio: Radio, device: StoredDevice, first: Frame | undefined) {
  const session = await join(radio, device)
  let frame = first
  while (frame) {
    // ChirpStack sends the uplink event while it reads the queue,
    // chirpstack/src/integration/mod.rs.
    const told = sendUplink(radio, device, session, frame)
    const downlink = await openWindow(radio, device, session)
    await told
    frame = downlink && answer(device, session, downlink)
  }
}

async function sendUplink(
  radio: Radio,
  device: StoredDevice,
  session: RadioSession,
  frame: Frame,
): Promise<void> {
  const fCnt = session.fCntUp
  session.fCntUp += 1
  if (fCnt === 0 && radio.faults.asksAfterJoin) session.fCntDown += 1
  device.lastSeenAt = radio.now()
  const uplink = createUplinkEvent(radio, device, { session, fCnt, ...frame })
  const item = device.queue.find(({ isPending }) => isPending)
  const isAcknowledged = session.isAcknowledgementDue
  if (item) {
    device.queue = device.queue.filter((other) => other !== item)
    session.isAcknowledgementDue = false
  }
  await pause(radio.faults.uplinkEventDelayMs)
  await radio.send(uplink)
  if (!item) return
  const deduplicationId = String(uplink.body.deduplicationId)
  const event = createAcknowledgementEvent(radio, device, { item, isAcknowledged, deduplicationId })
  await radio.send(event)
}

async function openWindow(radio: Radio, device: StoredDevice, session: RadioSession) {
  // Without a downlink there is no delay.
  if (device.queue.length === 0) return undefined
  await pause(radio.faults.downlinkDelayMs)
  return sendDownlink(radio, device, session)
}

/** Sends the head of the queue without an uplink, as ChirpStack does for a class C device. */
export async function schedule(radio: Radio, device: StoredDevice): Promise<void> {
  const { session } = device
  const downlink = session && (await sendDownlink(radio, device, session))
  if (downlink) await converse(radio, device, answer(device, session, downlink))
}

/**
 * Sends the head of the queue, and returns it if the device received it. The item stays in the
 * queue until the gateway's report. If the item is no longer there, ChirpStack stops handling the
 * report and does not advance the counter, so the next frame gets the same counter
 * (chirpstack/src/downlink/{data,tx_ack}.rs).
 */
async function sendDownlink(
  radio: Radio,
  device: StoredDevice,
  session: RadioSession,
): Promise<QueueItem | undefined> {
  const item = await takeHead(radio, device)
  if (!item) return undefined
  const fCntDown = session.fCntDown
  item.fCntDown = fCntDown
  await pause(radio.faults.gatewayDelayMs)
  if (radio.faults.isGatewayLate) {
    const log = { code: 'DOWNLINK_GATEWAY', description: 'TOO_LATE', context: {} }
    await radio.send(createLogEvent(radio, device, log))
    return undefined
  }
  if (device.queue.includes(item)) {
    if (item.confirmed) item.isPending = true
    else device.queue = device.queue.filter((other) => other !== item)
    session.fCntDown = fCntDown + 1
    await radio.send(createTransmissionEvent(radio, device, { item, fCntDown }))
  }
  return hear(radio, session, item, fCntDown)
}

/** The device drops a frame whose counter is not higher than the last one that it received. */
function hear(radio: Radio, session: RadioSession, item: QueueItem, fCntDown: number) {
  if (radio.random.isTrue(radio.faults.downlinkLossRate)) return undefined
  if (fCntDown <= session.lastHeard) return undefined
  session.lastHeard = fCntDown
  session.isAcknowledgementDue = item.confirmed
  return item
}

async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds)
}

/** Returns the first item that can be sent. The items before it are logged and dropped. */
async function takeHead(radio: Radio, device: StoredDevice): Promise<QueueItem | undefined> {
  for (const item of [...device.queue]) {
    const log = explainDiscard(item, radio.now())
    if (!log) return item
    device.queue = device.queue.filter((other) => other !== item)
    await radio.send(createLogEvent(radio, device, log))
  }
  return undefined
}

/** The messages of chirpstack/src/downlink/data.rs. */
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

/**
 * The device answers a configuration with an acknowledge frame, and another confirmed downlink with
 * an empty frame.
 */
function answer(device: StoredDevice, session: RadioSession, { data }: QueueItem) {
  if (data.length === configurationLength) {
    const acknowledgement = acknowledgeFrame(device.sensor, data)
    return { fPort: device.sensor.port, data: acknowledgement }
  }
  return session.isAcknowledgementDue ? { fPort: 0, data: new Uint8Array() } : undefined
}

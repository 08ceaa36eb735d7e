// The radio between a device and its network: joins, uplinks, and downlinks in their receive
// windows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect, FarDevice, FarDownlink, FarMessage } from './far-dialect.ts'
import type { Random } from './random.ts'
import {
  acknowledgeFrame,
  createSensor,
  nextFrame,
  type SensorKind,
  sensorKinds,
} from './sensor-frames.ts'

/** A downlink of this many bytes is a configuration, which the sensor answers. */
const configurationLength = 8

/** Everything that a transmission needs. */
export interface Radio<Device> {
  dialect: Dialect<Device>
  random: Random
  now(): number
  /** Delay between the transmission of a downlink to a gateway and the network's report of it. */
  reportDelayMs: number
  /** Resolves with the body of the answer, if there is one. */
  send(message: FarMessage): Promise<unknown>
}

export function createDevice<Record>(
  random: Random,
  devEui: string,
  name: string,
  record: Record,
): FarDevice<Record> {
  return {
    devEui: devEui.toUpperCase(),
    name,
    record,
    sensor: createSensor(guessSensor(devEui, name)),
    devAddr: random.hexadecimal(4),
    fCntUp: 0,
    fCntDown: 0,
    queue: [],
  }
}

/** Chooses the kind by a word in the name, or else by the last byte of the EUI. */
export function guessSensor(devEui: string, name: string): SensorKind {
  const words = name.toLowerCase()
  const named = sensorKinds.find((kind) => words.includes(kind))
  const last = Number.parseInt(devEui.slice(-2), 16)
  return named ?? sensorKinds[last % sensorKinds.length] ?? 'door'
}

export async function join<Device>(
  { dialect, now, send }: Radio<Device>,
  device: FarDevice<Device>,
) {
  for (const message of dialect.joined?.(device, now()) ?? []) await send(message)
}

/**
 * Sends an uplink, takes the downlink in its receive window, and sends the sensor's answer. Repeats
 * this as long as the sensor answers.
 */
export async function transmit<Device>(
  radio: Radio<Device>,
  device: FarDevice<Device>,
  payload?: Uint8Array,
): Promise<void> {
  let data: Uint8Array | undefined = payload ?? nextFrame(device.sensor, radio.random)
  while (data) {
    const acknowledges = device.owed
    device.owed = undefined
    await sendUplink(radio, device, data, acknowledges)
    const downlink = await takeDownlink(radio, device)
    radio.dialect.windowClosed?.(device)
    device.owed = downlink?.confirmed ? downlink : undefined
    const isConfiguration = downlink?.data.length === configurationLength
    data = isConfiguration ? acknowledgeFrame(device.sensor, downlink.data) : undefined
  }
}

async function sendUplink<Device>(
  { dialect, now, send }: Radio<Device>,
  device: FarDevice<Device>,
  data: Uint8Array,
  acknowledges: FarDownlink | undefined,
): Promise<void> {
  const fCnt = device.fCntUp
  device.fCntUp += 1
  const uplink = { device, fPort: device.sensor.port, fCnt, data: Buffer.from(data), time: now() }
  for (const message of dialect.uplink({ ...uplink, ...(acknowledges ? { acknowledges } : {}) })) {
    await send(message)
  }
}

async function takeDownlink<Device>(
  radio: Radio<Device>,
  device: FarDevice<Device>,
): Promise<FarDownlink | undefined> {
  const { dialect, now, send } = radio
  const downlink = dialect.ask
    ? dialect.readAnswer?.(await send(dialect.ask(device, now())))
    : await takeHead(radio, device)
  if (!downlink) return undefined
  for (const message of dialect.sent?.(device, downlink, now()) ?? []) await send(message)
  device.fCntDown += 1
  return downlink
}

/**
 * Returns the head of the queue for sending. It is sent even if a caller removes it from the queue
 * before its report.
 */
async function takeHead<Device>(
  { dialect, reportDelayMs }: Radio<Device>,
  device: FarDevice<Device>,
): Promise<FarDownlink | undefined> {
  const [head] = device.queue
  if (!head) return undefined
  if (!dialect.holdsUntilReport) device.queue.shift()
  if (reportDelayMs > 0) await sleep(reportDelayMs)
  const index = device.queue.indexOf(head)
  if (index >= 0) device.queue.splice(index, 1)
  return head
}

// Uplink frames of the sensors of the Radio Bridge family. The first byte has the protocol version
// and the packet counter, the second byte is the event code, and the payload of that event follows.
// Sources: RBS301 and RBS306 user manuals, "Message Protocol"; RadioBridge/Packet-Decoder.
import type { Random } from './random.ts'

export const sensorKinds = [
  'door',
  'button',
  'contact',
  'water',
  'temperature',
  'tilt',
  'air',
] as const

export type SensorKind = (typeof sensorKinds)[number]

/** The state of a virtual sensor between two frames. */
export interface SensorState {
  kind: SensorKind
  /** The LoRaWAN port (fPort) of its uplinks. It accepts downlinks on any port. */
  port: number
  /** Frames since the last reset. The low 4 bits are the packet counter. */
  frames: number
  /** Events since the last supervisory frame. */
  events: number
  isOn: boolean
  /** In °C, or in degrees from the vertical. */
  value: number
  /** In % relative humidity. */
  humidity: number
  /** In tenths of a volt. */
  battery: number
}

/** The sensor type code in the reset frame. */
const typeCodes: Record<SensorKind, number> = {
  door: 0x01,
  contact: 0x03,
  temperature: 0x05,
  button: 0x06,
  tilt: 0x09,
  water: 0x0a,
  air: 0x0e,
}

/** The LoRaWAN port of these sensors' uplinks by default. */
const defaultPort = 2

/** The first byte of an advanced configuration. Its third byte is the port; 0 means the default. */
const advancedCommand = 0xfc

export function createSensor(kind: SensorKind): SensorState {
  const value = kind === 'tilt' ? 10 : 21
  return {
    kind,
    port: defaultPort,
    frames: 0,
    events: 0,
    isOn: false,
    value,
    humidity: 45,
    battery: 32,
  }
}

/**
 * The next frame that a sensor sends by itself. The first frame is a reset, and every twelfth is a
 * supervisory frame.
 */
export function nextFrame(sensor: SensorState, random: Random): Uint8Array {
  if (sensor.frames === 0) {
    // Hardware 2.7, firmware 2.2.16, as in a published frame.
    return frame(sensor, 0x00, [typeCodes[sensor.kind], 0x27, 0x88, 0x50, 0x70, 0x3c])
  }
  if (sensor.frames % 12 === 0) return superviseFrame(sensor, random)
  sensor.events += 1
  return eventFrame(sensor, random)
}

/**
 * The answer to a configuration: status 3 (valid without errors), then the 8 bytes of the
 * configuration. Only the port setting has an effect here, and it takes effect before the answer.
 */
export function acknowledgeFrame(sensor: SensorState, downlink: Uint8Array): Uint8Array {
  if (downlink[0] === advancedCommand) sensor.port = downlink[2] || defaultPort
  return frame(sensor, 0xff, [3, ...downlink])
}

function frame(sensor: SensorState, event: number, payload: number[]): Uint8Array {
  const counter = sensor.frames & 0x0f
  sensor.frames += 1
  return Uint8Array.from([0x10 | counter, event, ...payload])
}

function superviseFrame(sensor: SensorState, random: Random): Uint8Array {
  if (sensor.battery > 29 && random.isTrue(0.05)) sensor.battery -= 1
  const volts = (Math.floor(sensor.battery / 10) << 4) | (sensor.battery % 10)
  const { events } = sensor
  sensor.events = 0
  const state = sensor.isOn ? 1 : 0
  return frame(sensor, 0x01, [0, state, volts, 0, 0, 0, 0, events >> 8, events & 0xff])
}

function eventFrame(sensor: SensorState, random: Random): Uint8Array {
  switch (sensor.kind) {
    case 'door':
      return frame(sensor, 0x03, [toggle(sensor)])
    case 'button':
      // The single button: pressed or released in turn, or sometimes held.
      return frame(sensor, 0x06, [0x03, random.isTrue(0.1) ? 2 : 1 - toggle(sensor)])
    case 'contact':
      return frame(sensor, 0x07, [toggle(sensor)])
    case 'water': {
      const isDry = toggle(sensor) === 0
      return frame(sensor, 0x08, isDry ? [1, random.between(150, 250)] : [0, random.between(5, 70)])
    }
    case 'temperature': {
      sensor.value = wander(sensor.value, { home: 21, step: 1.5 }, random)
      const degrees = Math.round(sensor.value)
      return frame(sensor, 0x09, [0, degrees & 0xff, (128 + degrees) & 0xff])
    }
    case 'tilt': {
      const isHorizontal = toggle(sensor)
      return frame(sensor, 0x0a, [isHorizontal, random.between(0, 15) + isHorizontal * 70])
    }
    case 'air':
      return airFrame(sensor, random)
  }
}

function airFrame(sensor: SensorState, random: Random): Uint8Array {
  sensor.value = wander(sensor.value, { home: 21, step: 0.8 }, random)
  sensor.humidity = wander(sensor.humidity, { home: 45, step: 2 }, random)
  const tenths = Math.round(Math.abs(sensor.value) * 10)
  const sign = sensor.value < 0 ? 0x80 : 0
  const humidity = Math.round(sensor.humidity * 10)
  return frame(sensor, 0x0d, [
    0,
    sign | Math.floor(tenths / 10),
    (tenths % 10) << 4,
    Math.floor(humidity / 10),
    (humidity % 10) << 4,
  ])
}

function toggle(sensor: SensorState): number {
  sensor.isOn = !sensor.isOn
  return sensor.isOn ? 1 : 0
}

/** One step of a random walk that tends back to `home`. */
function wander(value: number, { home, step }: { home: number; step: number }, random: Random) {
  return value + (random.next() - 0.5) * 2 * step + (home - value) * 0.05
}

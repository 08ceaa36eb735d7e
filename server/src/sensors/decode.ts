import { layouts } from './index.ts'
import type { Frame, Message, Reading } from './sensor.ts'

/*
 * The frame of the Radio Bridge / MultiTech sensors (RBS3010 manual, "Message protocol"):
 *
 * | byte | meaning                                                         |
 * |------|-----------------------------------------------------------------|
 * | 0    | protocol version (high nibble), packet counter 0..15 (low one)  |
 * | 1    | event code                                                      |
 * | 2..  | payload, 0 to 9 bytes, by event code                            |
 *
 * The counter starts at 0 after a reset and wraps from 15 to 0. FPort does not select the format.
 */
export const headerLength = 2
const knownVersion = 1
const firstSensorCode = 0x03
const lastSensorCode = 0x20

/** Event codes that the maker has named without publishing their payload. */
const namesWithoutLayout: Record<number, string> = {
  4: 'of the retired accelerometer',
  18: 'of the external probe for air temperature and humidity, which sends 0x0D,',
  21: 'of custom sensors',
}

const messages = new Array<Message | undefined>(256).fill(undefined)
for (const message of layouts.flatMap((layout) => layout.messages)) {
  messages[message.eventCode] = message
}

/**
 * Decodes a frame. Never throws: a frame that can't be read gives a reading with event `UNKNOWN`,
 * whose description says why.
 */
export function decodeFrame({ bytes }: Frame): Reading {
  const header = bytes[0]
  const eventCode = bytes[1]
  if (header === undefined) return unknownReading('The frame is empty.', [])
  if (eventCode === undefined) {
    return unknownReading('The frame has 1 byte, and its header alone takes 2.', [])
  }
  const sequence = [header & 0x0f]
  const version = header >> 4
  if (version !== knownVersion && !isOfSensor(eventCode)) {
    return unknownReading(`The frame's protocol version ${version} is not known.`, sequence)
  }
  const message = messages[eventCode]
  if (!message) return unknownReading(describeUnknownCode(eventCode), sequence)
  const reading = decodeMessage(message, bytes, sequence)
  return version === knownVersion ? reading : flagVersion(reading, version)
}

/** The kind of message with this event code. */
export function findMessage(eventCode: number | undefined): Message | undefined {
  return eventCode === undefined ? undefined : messages[eventCode]
}

/** The bytes of a frame after its header. */
export function payloadOf({ bytes }: Frame): Uint8Array {
  return bytes.subarray(headerLength)
}

/**
 * Sensors' own events are decoded in any protocol version, as in the maker's decoder, whose test
 * frames also have the versions 6, 9 and 15. Common frames are decoded in the known version only:
 * a wrong guess would change the device's health or close a downlink.
 */
function isOfSensor(eventCode: number): boolean {
  return eventCode >= firstSensorCode && eventCode <= lastSensorCode
}

/** Adds the protocol version to a reading in an unpublished version. */
function flagVersion(reading: Reading, version: number): Reading {
  if (reading.event === 'UNKNOWN') return reading
  return {
    ...reading,
    values: { ...reading.values, protocolVersion: version },
    lines: [...reading.lines, `Protocol version: ${version}`],
  }
}

function describeUnknownCode(eventCode: number): string {
  const name = namesWithoutLayout[eventCode]
  if (name === undefined) return `The event code ${hexadecimal(eventCode)} has no decoder.`
  return `The event code ${hexadecimal(eventCode)} ${name} has no published layout.`
}

function decodeMessage(message: Message, bytes: Uint8Array, sequence: number[]): Reading {
  const { minimumLength } = message
  const length = bytes.length - headerLength
  if (length < minimumLength) {
    const why = `The payload of the ${message.event} message has ${length} of at least ${minimumLength} bytes.`
    return unknownReading(why, sequence)
  }
  const content = message.decode(bytes.subarray(headerLength))
  if (!content) {
    return unknownReading(
      `The payload of the ${message.event} message has no known layout.`,
      sequence,
    )
  }
  const { event = message.event, description, values, lines, status, acknowledgement } = content
  const reading: Reading = { event, description, sequence, values, lines, status }
  if (acknowledgement) reading.acknowledgement = acknowledgement
  return reading
}

function unknownReading(description: string, sequence: number[]): Reading {
  return { event: 'UNKNOWN', description, sequence, values: {}, lines: [description], status: {} }
}

function hexadecimal(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

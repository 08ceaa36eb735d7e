import { sensorFiles } from './index.ts'
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
const headerLength = 2
const protocolVersion = 1

const messages = new Array<Message | undefined>(256).fill(undefined)
for (const { messages: ofFile } of sensorFiles) {
  for (const message of ofFile) messages[message.eventCode] = message
}

/**
 * What a frame says. Never throws: what can't be read is a reading with event `UNKNOWN`, whose
 * description says why.
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
  if (version !== protocolVersion) {
    return unknownReading(`The frame's protocol version ${version} is not known.`, sequence)
  }
  const message = messages[eventCode]
  if (!message) {
    return unknownReading(`The event code ${hexadecimal(eventCode)} has no decoder.`, sequence)
  }
  return decodeMessage(message, bytes, sequence)
}

function decodeMessage(message: Message, bytes: Uint8Array, sequence: number[]): Reading {
  const { event, minimumLength } = message
  const length = bytes.length - headerLength
  if (length < minimumLength) {
    const why = `The payload of the ${event} message has ${length} of at least ${minimumLength} bytes.`
    return unknownReading(why, sequence)
  }
  const content = message.decode(bytes.subarray(headerLength))
  if (!content) {
    return unknownReading(`The payload of the ${event} message has no known layout.`, sequence)
  }
  const { description, values, lines, status, acknowledgement } = content
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

import { z } from 'zod'

/** Bytes that go to a device as they are: what requests and rules may send. */

/** Further ports are of the network itself or reserved (LoRaWAN 1.0.4 and 1.1, FPort). */
const portMessage = 'The fPort must be an integer from 1 to 223.'

/**
 * The longest payload at the fastest data rates of all regions (LoRaWAN Regional Parameters). What
 * fewer bytes a data rate takes, only the network knows at the time of sending.
 */
const longestPayload = 242

export const portField = z.int(portMessage).min(1, portMessage).max(223, portMessage)

export const payloadField = z
  .string({
    error: ({ input }) =>
      input === undefined || input === null
        ? 'The payload field is required.'
        : 'The payload must be a string.',
  })
  .transform((text) => text.replaceAll(/[\s:-]/g, ''))
  .refine(
    (text) => /^([0-9a-fA-F]{2})+$/.test(text),
    'The payload must be whole bytes in hexadecimal, at least one.',
  )
  .refine(
    (text) => text.length <= longestPayload * 2,
    `The payload may not have more than ${longestPayload} bytes.`,
  )
  .meta({
    description: `1 to ${longestPayload} bytes in hexadecimal; blanks, dashes and colons are ignored.`,
  })

import { isEui, normalizeEui } from '../../lora/eui.ts'
import {
  type JsonObject,
  readDecimal,
  readPosition,
  readText,
  readTime,
} from '../message-fields.ts'
import { NotOurMessage, type Reception } from '../network-message.ts'

// What the formats of gateways have in common, over the readers of single members.

/** An EUI with or without dashes or colons, in our own form. */
export function readDashedEui(parent: JsonObject, name: string): string {
  const eui = normalizeEui(readText(parent, name, 32))
  if (isEui(eui)) return eui
  throw new NotOurMessage(`${name} must be an EUI of 16 hexadecimal digits.`)
}

/** The time in a member; `receivedAt` where the gateway has no clock to tell it by. */
export function readTimeOr(parent: JsonObject, name: string, receivedAt: string): string {
  return readText(parent, name, 40) === '' ? receivedAt : readTime(parent, name)
}

/** A gateway's reception by its `mac`; none for a gateway that is named in another way. */
export function readReceptionOf(
  name: string,
  signal: JsonObject,
  place: JsonObject,
): Reception | undefined {
  const gatewayEui = normalizeEui(name)
  if (!isEui(gatewayEui)) return undefined
  const rssi = readDecimal(signal, 'rssi')
  const snr = readDecimal(signal, 'loRaSNR')
  return {
    gatewayEui,
    ...(rssi === undefined ? {} : { rssi }),
    ...(snr === undefined ? {} : { snr }),
    ...readPosition(place),
  }
}

/** Best SNR first. */
export function sortReceptions(receptions: (Reception | undefined)[]): Reception[] {
  return receptions
    .filter((reception) => reception !== undefined)
    .sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
}

/** `SF10BW125` of `{ modulation: "LORA", spreadFactor: 10, bandwidth: 125 }`. */
export function nameDataRate(dataRate: JsonObject | undefined): { dataRate?: string } {
  const { spreadFactor, bandwidth } = dataRate ?? {}
  if (typeof spreadFactor !== 'number' || typeof bandwidth !== 'number') return {}
  return { dataRate: `SF${spreadFactor}BW${bandwidth}` }
}

import { isEui, normalizeEui } from '../../lora/eui.ts'
import { findNumber, type JsonObject, readPosition, readText, readTime } from '../message-fields.ts'
import type { Reception, Uplink } from '../network-message.ts'

// What the formats of gateways have in common, over the readers of single members.

/**
 * A key of what tells a frame (`frame`) and of what tells it from one of the same counter after the
 * next join, and is the same when the frame is sent again: the first of the moments that the gateway
 * gives. Without any, each arrival counts: a frame stored twice costs less than one that is taken
 * for an old one.
 */
export function keyOf(
  frame: string,
  moments: readonly (string | number | undefined)[],
  receivedAt: string,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  const moment = moments.find((each) => each !== undefined && each !== '' && each !== 0)
  if (moment !== undefined) return { deduplicationKey: `${frame}:${moment}` }
  return { deduplicationKey: `${frame}:${receivedAt}`, isTimeless: true }
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
  const rssi = findNumber(signal, 'rssi')
  const snr = findNumber(signal, 'loRaSNR')
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

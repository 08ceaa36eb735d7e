import type { NetworkMessage, Reception, Uplink } from './network-message.ts'

/** Hz; no radio of any network is above. What is far above it, no answer could show. */
const highestFrequency = 4_294_967_295
/** dBm and dB: wider than what receivers tell. */
const highestStrength = 300
/** More gateways than hear one frame anywhere. */
const mostReceptions = 100
/** `SF12BW125`, `LRFHSS137`. */
const dataRateName = /^[ -~]{1,40}$/
/** An EUI, or the name that the network has for a gateway. */
const gatewayName = /^[!-~]{1,40}$/

/**
 * The message with every value in its range, for all networks alike: what is beyond it was not told.
 * What no message can be without (device, time, port, counter) its reader has refused by then.
 */
export function holdToRange(message: NetworkMessage): NetworkMessage {
  return message.kind === 'uplink' ? holdUplink(message) : message
}

export function holdUplink(uplink: Uplink): Uplink {
  const { frequency, dataRate, receptions, ...rest } = uplink
  return {
    ...rest,
    receptions: holdReceptions(receptions),
    ...(isWithin(frequency, 1, highestFrequency) ? { frequency } : {}),
    ...(dataRate !== undefined && dataRateName.test(dataRate) ? { dataRate } : {}),
  }
}

/** Best SNR first, as they came: one that loses its SNR loses its place. */
function holdReceptions(receptions: readonly Reception[]): Reception[] {
  const held = receptions.map(holdReception)
  const isChanged = held.some(({ snr }, index) => snr !== receptions[index]?.snr)
  if (isChanged) held.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
  return held.slice(0, mostReceptions)
}

function holdReception({ gatewayEui, rssi, snr, latitude, longitude }: Reception): Reception {
  const isPlaced = isWithin(latitude, -90, 90) && isWithin(longitude, -180, 180)
  return {
    gatewayEui: gatewayName.test(gatewayEui) ? gatewayEui : '',
    ...(isWithin(rssi, -highestStrength, highestStrength) ? { rssi } : {}),
    ...(isWithin(snr, -highestStrength, highestStrength) ? { snr } : {}),
    ...(isPlaced ? { latitude, longitude } : {}),
  }
}

function isWithin(value: number | undefined, lowest: number, highest: number): value is number {
  return value !== undefined && value >= lowest && value <= highest
}

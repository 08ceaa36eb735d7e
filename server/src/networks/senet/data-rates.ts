/** Spreading factor and bandwidth (kHz) by data rate, LoRaWAN Regional Parameters RP002-1.0.4. */
const upToSf10 = ['SF10BW125', 'SF9BW125', 'SF8BW125', 'SF7BW125', 'SF8BW500']
const upToSf12 = ['SF12BW125', 'SF11BW125', 'SF10BW125', 'SF9BW125', 'SF8BW125', 'SF7BW125']
const withFsk = [...upToSf12, 'SF7BW250', 'FSK50']

const bands: Record<string, readonly string[]> = {
  US915: upToSf10,
  AU915: [...upToSf12, 'SF8BW500'],
  EU868: withFsk,
  EU433: withFsk,
  CN779: withFsk,
  AS923: withFsk,
  RU864: withFsk,
  IN865: upToSf12,
  KR920: upToSf12,
  CN470: upToSf12,
}

/** Undefined for a band that is not named, or whose numbers mean something else. */
export function nameDataRate(band: string, number: unknown): string | undefined {
  if (!Object.hasOwn(bands, band)) return undefined
  const index = typeof number === 'string' ? Number(number || Number.NaN) : number
  return typeof index === 'number' ? bands[band]?.[index] : undefined
}

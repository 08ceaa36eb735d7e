/**
 * Texts of the event byte (0 to 4) that most measuring sensors share. `quantity` is what the
 * maker's decoder calls the measurement. Source: RadioBridge/Packet-Decoder, src/decoders.
 */
export function reportEvents(quantity: string): readonly string[] {
  return [
    'Periodic Report',
    `${quantity} has risen above upper threshold`,
    `${quantity} has fallen below lower threshold`,
    'Report on change increase',
    'Report on change decrease',
  ]
}

/**
 * Texts of the four event bytes that sensors of several quantities have for each of them. Source:
 * RadioBridge/Packet-Decoder, src/decoders/AirTemperatureAndHumiditySensor.ts.
 */
export function quantityEvents(quantity: string): readonly string[] {
  return [
    `${quantity} has risen above upper threshold`,
    `${quantity} has fallen below lower threshold`,
    `${quantity} report on change increase`,
    `${quantity} report on change decrease`,
  ]
}

/**
 * The LoRaWAN versions under which a device is registered: those of the sensors, 1.0.3 with the
 * regional parameters of 1.0.3. The groups of AS923 that came after them are only in later ones
 * (pkg/band/all.go, which the network server refuses other combinations by).
 */
export function versionsOf(frequencyPlan: string) {
  const isLater = /^AS_923_[234](_|$)/.test(frequencyPlan)
  return {
    lorawan_version: 'MAC_V1_0_3',
    lorawan_phy_version: isLater ? 'RP002_V1_0_3' : 'PHY_V1_0_3_REV_A',
  }
}

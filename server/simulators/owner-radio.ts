/** How a device speaks that is not of LoRaWAN 1.0.x and class A with a join. */
export type RadioKind = '1.1' | 'abp' | 'class_c'

/** Keys and address of a device that the owner of a network adds with a kind. Invented. */
export const ownerRadio = {
  /** AppKey, or AppSKey without a join. */
  appKey: 'A0A1A2A3A4A5A6A7A8A9AAABACADAEAF',
  /** NwkKey of LoRaWAN 1.1, or NwkSKey without a join. */
  networkKey: 'B0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF',
  devAddr: '26011AB2',
  joinEui: '70B3D57ED0000002',
}

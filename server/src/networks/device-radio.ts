/** How a device speaks LoRaWAN. Keys and address are hexadecimal. */
export interface DeviceRadio {
  version: '1.0' | '1.1'
  /** Without a join (`abp`), `appKey` of the device is its AppSKey. */
  activation: 'otaa' | 'abp'
  deviceClass: 'A' | 'C'
  /** 8 digits; of a device without a join. */
  devAddr?: string
  /** NwkKey of LoRaWAN 1.1, or NwkSKey of a device without a join. */
  networkKey?: string
}

/** Whether the device gets its session over the air (OTAA). */
export function isJoining({ radio }: { radio?: DeviceRadio }): boolean {
  return radio?.activation !== 'abp'
}

/** How a device gets its session, as messages say it. */
export function describeJoin(isJoining: boolean): string {
  return isJoining ? 'with a join (OTAA)' : 'without a join (ABP)'
}

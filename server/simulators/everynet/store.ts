import type { FarSide } from '../far-side.ts'

/** A device of the organization, with the names of the API. */
export interface DeviceRecord {
  activation: string
  app_eui?: string
  app_key?: string
  /** Of a device without a join. */
  dev_addr?: string
  nwkskey?: string
  appskey?: string
  band: string
  dev_class: string
  tags: string[]
  /** `packet_hash` of the exchange in progress. */
  hash: string
}

export type Side = FarSide<DeviceRecord, never>

export const bands = ['EU863-870', 'US902-928', 'US902-928A', 'LA915-928A', 'AU915-928A', 'AS923-1']

/** A device of another organization. */
export const foreignEui = '00AA0000000000FF'

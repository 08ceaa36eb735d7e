import { NetworkError } from './network-error.ts'

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

/** How a network has a device; undefined where it does not tell. */
interface KnownRadio {
  isOf11?: boolean | undefined
  isOfJoin?: boolean | undefined
}

/** How a network has a device that is wanted otherwise; '' where it is not. */
export function describeMismatch(
  { isOf11, isOfJoin }: KnownRadio,
  device: { radio?: DeviceRadio },
): string {
  const isSameVersion = isOf11 === undefined || isOf11 === (device.radio?.version === '1.1')
  const isSameJoin = isOfJoin === undefined || isOfJoin === isJoining(device)
  const faults = [
    ...(isSameVersion ? [] : [`for LoRaWAN ${isOf11 ? '1.1' : '1.0.x'}`]),
    ...(isSameJoin ? [] : [describeJoin(isOfJoin)]),
  ]
  return faults.join(' and ')
}

/**
 * Refuses a device that a network has already for another version or activation: it works as it is,
 * and would not be heard otherwise.
 */
export function refuseMismatch(
  networkName: string,
  known: KnownRadio,
  device: { devEui: string; radio?: DeviceRadio },
): void {
  const mismatch = describeMismatch(known, device)
  if (mismatch === '') return
  throw new NetworkError(
    'refused',
    `${networkName} has the device ${device.devEui} already, ${mismatch}: register it so here, too.`,
  )
}

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

/** How a network has a device. Values that it does not give are left out or undefined. */
export type KnownRadio = { [Name in keyof DeviceRadio]?: DeviceRadio[Name] | undefined }

/** The members of a `NetworkDevice` that are compared. */
interface ComparedDevice {
  devEui: string
  profile?: string
  isProfileOfType?: true
  radio?: KnownRadio
  keepsOtherKey?: true
}

/** Whether the device gets its session over the air (OTAA). */
export function isJoining({ radio }: { radio?: KnownRadio | undefined }): boolean {
  return radio?.activation !== 'abp'
}

/** A device is of LoRaWAN 1.0.x and class A with a join unless its network says otherwise. */
export function toWholeRadio({
  version,
  activation,
  deviceClass,
  devAddr,
}: KnownRadio): DeviceRadio {
  return {
    version: version ?? '1.0',
    activation: activation ?? 'otaa',
    deviceClass: deviceClass ?? 'A',
    ...(activation === 'abp' && devAddr && { devAddr }),
  }
}

/** How a device gets its session, as messages say it. */
export function describeJoin(isJoining: boolean): string {
  return isJoining ? 'with a join (OTAA)' : 'without a join (ABP)'
}

/** How two sides have a device, in words, as far as they differ. */
interface Mismatch {
  there: string
  here: string
}

/**
 * Compares how a network has a device with how it is registered here. Undefined if both agree, as
 * far as the network says. A device without `radio` is LoRaWAN 1.0.x with a join, of any class.
 */
export function findMismatch(
  known: KnownRadio,
  { radio }: { radio?: KnownRadio | undefined },
): Mismatch | undefined {
  const { version = '1.0', activation = 'otaa' } = radio ?? {}
  // A profile that allows class C also serves a device of class A.
  const isOtherClass = radio?.deviceClass === 'C' && known.deviceClass === 'A'
  const compared: [there: string | undefined, here: string | undefined][] = [
    [known.version && ofVersion(known.version), ofVersion(version)],
    [known.activation && ofActivation(known.activation), ofActivation(activation)],
    isOtherClass ? ['of class A', 'of class C'] : [undefined, undefined],
  ]
  const differing = compared.filter(([there, here]) => there && here && there !== here)
  if (differing.length === 0) return undefined
  const join = (side: 0 | 1) => differing.map((pair) => pair[side]).join(', ')
  return { there: join(0), here: join(1) }
}

const ofVersion = (version: string) => `of LoRaWAN ${version === '1.1' ? '1.1' : '1.0.x'}`
const ofActivation = (activation: string) => describeJoin(activation !== 'abp')

/**
 * Refuses a device that a network has already for another version, activation or class: it works as
 * it is, and would not be heard otherwise.
 */
export function refuseMismatch(
  networkName: string,
  known: KnownRadio,
  device: ComparedDevice,
): void {
  const mismatch = findMismatch(known, device)
  if (mismatch) throw asOther(networkName, device.devEui, mismatch)
}

/**
 * Refuses a new registration of a device that the network has with another value, by the names of
 * the values. Values that one side does not know are not compared.
 */
export function refuseOtherKeys(
  networkName: string,
  device: ComparedDevice,
  keys: Record<string, readonly [there: string | undefined, here: string | undefined]>,
): void {
  if (!device.keepsOtherKey) return
  const other = Object.entries(keys).find(
    ([, [there, here]]) =>
      there && here && isHidden(there) === false && there.toUpperCase() !== here.toUpperCase(),
  )
  if (!other) return
  throw new NetworkError(
    'refused',
    `${networkName} has the device ${device.devEui} already, with another ${other[0]} than it is registered with here. Give it the key that it has there, or set the key here again to replace it there.`,
  )
}

/** Networks may show asterisks, or nothing but zeros, in place of a key. */
function isHidden(value: string): boolean {
  return !/^[0-9a-f]+$/i.test(value) || /^0+$/.test(value)
}

/** Refuses a device profile chosen for only this device if the network has another one. */
export function refuseOtherProfile(
  networkName: string,
  known: string,
  device: ComparedDevice,
): void {
  const { profile, devEui } = device
  if (profile === undefined || device.isProfileOfType) return
  if (known === '' || known.toUpperCase() === profile.toUpperCase()) return
  const mismatch = { there: `with the device profile ${known}`, here: `with ${profile}` }
  throw asOther(networkName, devEui, mismatch)
}

export function asOther(
  networkName: string,
  devEui: string,
  { there, here }: Mismatch,
): NetworkError {
  return new NetworkError(
    'refused',
    `${networkName} has the device ${devEui} already, as one ${there}; here it is registered as one ${here}. Register it as it is there.`,
  )
}

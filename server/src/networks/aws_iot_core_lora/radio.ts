// Activation of a device at AWS IoT Core for LoRaWAN: one of four members of its LoRaWANDevice. Band,
// version, join and class are those of its device profile (LoRaWANDeviceProfile). AWS IoT Wireless
// API reference
import { GetDeviceProfileCommand, type LoRaWANDevice } from '@aws-sdk/client-iot-wireless'
import { describeJoin, isJoining } from '../device-radio.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Session } from './client.ts'

export function profileOf({ account }: Session, { profile }: NetworkDevice): string {
  return profile ?? account.deviceProfileId
}

/** The keys of a join, or the session of a device without one. AWS cannot change them. */
export function activationOf(device: NetworkDevice): Partial<LoRaWANDevice> {
  const { appKey, joinEui, radio } = device
  const [key, eui] = [appKey.toLowerCase(), joinEui.toLowerCase()]
  const networkKey = radio?.networkKey?.toLowerCase()
  if (!isJoining(device)) {
    const SessionKeys = { NwkSKey: networkKey, AppSKey: key }
    return { AbpV1_0_x: { DevAddr: radio?.devAddr?.toLowerCase(), SessionKeys } }
  }
  return radio?.version === '1.1'
    ? { OtaaV1_1: { AppKey: key, NwkKey: networkKey, JoinEui: eui } }
    : { OtaaV1_0_x: { AppKey: key, AppEui: eui } }
}

const kinds = {
  OtaaV1_0_x: `for LoRaWAN 1.0.x ${describeJoin(true)}`,
  OtaaV1_1: `for LoRaWAN 1.1 ${describeJoin(true)}`,
  AbpV1_0_x: `for LoRaWAN 1.0.x ${describeJoin(false)}`,
  AbpV1_1: `for LoRaWAN 1.1 ${describeJoin(false)}`,
} as const

type Kind = keyof typeof kinds

function kindOf(activation: Partial<LoRaWANDevice>): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find((kind) => activation[kind] !== undefined)
}

/** How AWS has a device registered, where it is wanted otherwise; undefined where it is not. */
export function describeMismatch(found: LoRaWANDevice, device: NetworkDevice): string | undefined {
  const known = kindOf(found)
  if (known === kindOf(activationOf(device))) return undefined
  return known ? kinds[known] : 'without an activation'
}

/** Whether AWS has the keys, the JoinEUI, and the session of a device without a join. */
export function isSameActivation(found: LoRaWANDevice, device: NetworkDevice): boolean {
  return JSON.stringify(valuesOf(found)) === JSON.stringify(valuesOf(activationOf(device)))
}

function valuesOf({ OtaaV1_0_x: join, OtaaV1_1: later, AbpV1_0_x: fixed }: LoRaWANDevice) {
  const { NwkSKey, AppSKey } = fixed?.SessionKeys ?? {}
  const ofJoin = [join?.AppKey, join?.AppEui ?? join?.JoinEui]
  const ofLater = [later?.AppKey, later?.NwkKey, later?.JoinEui]
  return [...ofJoin, ...ofLater, fixed?.DevAddr, NwkSKey, AppSKey].map((value) =>
    value?.toLowerCase(),
  )
}

/** Refuses a device whose profile says something else: it would never be heard. */
export async function checkProfile(session: Session, device: NetworkDevice): Promise<void> {
  const { radio } = device
  const wanted = device.frequencyPlan ?? device.region
  if (wanted === undefined && !radio) return
  const Id = profileOf(session, device)
  const profile = (await session.wireless.send(new GetDeviceProfileCommand({ Id }))).LoRaWAN ?? {}
  const { RfRegion: band, MacVersion: version, SupportsJoin: isOfJoin, SupportsClassC } = profile
  // AWS has four groups of AS923.
  if (wanted !== undefined && band !== undefined && !`${band}-`.startsWith(`${wanted}-`)) {
    const words = `is one for ${band}, and the device was registered for ${wanted}`
    throw refused(`The device profile (device_profile_id ${Id}) ${words}.`)
  }
  if (!radio) return
  const isOf11 = version?.startsWith('1.1')
  const faults = [
    ...(isOf11 === undefined || isOf11 === (radio.version === '1.1')
      ? []
      : [`of LoRaWAN ${version}`]),
    ...(isOfJoin === undefined || isOfJoin === isJoining(device) ? [] : [describeJoin(isOfJoin)]),
    ...(radio.deviceClass === 'C' && !SupportsClassC ? ['without class C'] : []),
  ]
  if (faults.length === 0) return
  const words = `is one ${faults.join(', and ')}: choose another one`
  throw refused(`The device profile (device_profile_id ${Id}) of AWS ${words}.`)
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}

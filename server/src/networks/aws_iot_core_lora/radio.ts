// Activation of a device at AWS IoT Core for LoRaWAN: one of four members of its LoRaWANDevice. Band,
// version, join and class are those of its device profile (LoRaWANDeviceProfile). AWS IoT Wireless
// API reference
import { GetDeviceProfileCommand, type LoRaWANDevice } from '@aws-sdk/client-iot-wireless'
import {
  asOther,
  findMismatch,
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
} from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
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
  OtaaV1_0_x: { version: '1.0', activation: 'otaa' },
  OtaaV1_1: { version: '1.1', activation: 'otaa' },
  AbpV1_0_x: { version: '1.0', activation: 'abp' },
  AbpV1_1: { version: '1.1', activation: 'abp' },
} as const satisfies Record<string, KnownRadio>

/** How AWS has a device, with its keys; undefined if it has no activation. */
export function radioOf(found: LoRaWANDevice): KnownRadio | undefined {
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((each) => found[each])
  if (!kind) return undefined
  const { DevAddr } = found.AbpV1_0_x ?? found.AbpV1_1 ?? {}
  const networkKey = found.OtaaV1_1?.NwkKey ?? found.AbpV1_0_x?.SessionKeys?.NwkSKey
  const devAddr = DevAddr?.toUpperCase()
  return { ...kinds[kind], ...(devAddr && { devAddr }), ...(networkKey && { networkKey }) }
}

/** Refuses a device that AWS has otherwise, or a new registration with other keys. */
export function checkDevice(found: LoRaWANDevice, device: NetworkDevice): void {
  const known = radioOf(found)
  if (!known) {
    const mismatch = { there: 'without an activation', here: 'with one' }
    throw asOther('AWS', device.devEui, mismatch)
  }
  refuseMismatch('AWS', known, device)
  const { appKey, radio } = device
  const [AppKey, AppSKey] = isJoining(device) ? [appKey, undefined] : [undefined, appKey]
  const ofJoin = found.OtaaV1_1?.AppKey ?? found.OtaaV1_0_x?.AppKey
  refuseOtherKeys('AWS', device, {
    AppKey: [ofJoin, AppKey],
    'device address': [known.devAddr, radio?.devAddr],
    [isJoining(device) ? 'NwkKey' : 'NwkSKey']: [known.networkKey, radio?.networkKey],
    AppSKey: [found.AbpV1_0_x?.SessionKeys?.AppSKey, AppSKey],
  })
}

/** The device, completed with values that only AWS knows. */
export function completed(found: LoRaWANDevice, device: NetworkDevice): NetworkDevice {
  const { radio, joinEui } = device
  const ofJoin = found.OtaaV1_0_x
  const knownEui = (found.OtaaV1_1?.JoinEui ?? ofJoin?.AppEui ?? ofJoin?.JoinEui)?.toUpperCase()
  return {
    ...device,
    joinEui: joinEui === anyJoinEui ? (knownEui ?? joinEui) : joinEui,
    ...(radio && { radio: { ...dropUnknown(radioOf(found)), ...radio } }),
  }
}

/** Keeps the keys and the address. */
function dropUnknown({ devAddr, networkKey }: KnownRadio = {}) {
  return { ...(devAddr && { devAddr }), ...(networkKey && { networkKey }) }
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

/** What is wrong with the profile that a new device would get; undefined if nothing is. */
export async function findProfileFault(
  session: Session,
  device: NetworkDevice,
): Promise<NetworkError | undefined> {
  const { radio } = device
  const wanted = device.frequencyPlan ?? device.region
  if (wanted === undefined && !radio) return undefined
  const Id = profileOf(session, device)
  const profile = (await session.wireless.send(new GetDeviceProfileCommand({ Id }))).LoRaWAN ?? {}
  const { RfRegion: band, MacVersion: version, SupportsJoin: isOfJoin, SupportsClassC } = profile
  // AWS has four groups of AS923.
  if (wanted !== undefined && band !== undefined && !`${band}-`.startsWith(`${wanted}-`)) {
    const words = `is one for ${band}, and the device was registered for ${wanted}`
    return refused(`The device profile (device_profile_id ${Id}) ${words}.`)
  }
  const known: KnownRadio = {
    ...(version !== undefined && { version: version.startsWith('1.1') ? '1.1' : '1.0' }),
    ...(isOfJoin !== undefined && { activation: isOfJoin ? 'otaa' : 'abp' }),
    deviceClass: SupportsClassC ? 'C' : 'A',
  }
  const mismatch = findMismatch(known, device)
  if (!mismatch) return undefined
  const words = `is one ${mismatch.there}, and the device is registered ${mismatch.here}: choose another one`
  return refused(`The device profile (device_profile_id ${Id}) of AWS ${words}.`)
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}

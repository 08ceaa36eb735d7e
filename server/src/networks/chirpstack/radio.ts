// Keys and sessions of devices at ChirpStack v4, api/proto/api/device.proto. Version, class and join
// are those of the device profile, api/proto/api/device_profile.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, { type DeviceActivation } from '@chirpstack/chirpstack-api/api/device_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { describeJoin, isJoining } from '../device-radio.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing } from './call-error.ts'
import type { Session } from './client.ts'

const service = deviceGrpc.DeviceServiceService

export function profileOf({ account }: Session, { profile }: NetworkDevice): string {
  return profile?.toLowerCase() ?? account.deviceProfileId
}

/** Refuses a device whose profile says something else: it would never be heard. */
export async function checkProfile(session: Session, device: NetworkDevice): Promise<void> {
  const { radio } = device
  if (!radio) return
  const id = profileOf(session, device)
  const request = new deviceProfilePb.GetDeviceProfileRequest()
  request.setId(id)
  const answer = await session.client.call(
    deviceProfileGrpc.DeviceProfileServiceService.get,
    request,
  )
  const profile = answer.getDeviceProfile()
  const isOfJoin = profile?.getSupportsOtaa() ?? false
  const is11 = profile?.getMacVersion() === commonPb.MacVersion.LORAWAN_1_1_0
  const faults = [
    ...(is11 === (radio.version === '1.1') ? [] : [`of LoRaWAN ${is11 ? '1.1' : '1.0.x'}`]),
    ...(isOfJoin === isJoining(device) ? [] : [describeJoin(isOfJoin)]),
    ...(radio.deviceClass === 'C' && !profile?.getSupportsClassC() ? ['without class C'] : []),
  ]
  if (faults.length === 0) return
  throw new NetworkError(
    'refused',
    `The device profile ${id} of ChirpStack is one ${faults.join(', and ')}: choose another one.`,
  )
}

/**
 * The keys of a join. The AppKey of LoRaWAN 1.0.x belongs into `nwk_key`; `app_key` is for 1.1 only.
 */
export function toKeys({ devEui, appKey, radio }: NetworkDevice) {
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(devEui.toLowerCase())
  const networkKey = radio?.version === '1.1' ? radio.networkKey : undefined
  keys.setNwkKey((networkKey ?? appKey).toLowerCase())
  if (networkKey !== undefined) keys.setAppKey(appKey.toLowerCase())
  return keys
}

/** The AppKey among the keys of a join. */
export function readAppKey(keys: { getAppKey(): string; getNwkKey(): string } | undefined): string {
  const appKey = keys?.getAppKey() ?? ''
  return /[^0]/.test(appKey) ? appKey : (keys?.getNwkKey() ?? '')
}

/** Gives a device without a join its session. The same session keeps its counters. */
export async function activate(session: Session, device: NetworkDevice): Promise<void> {
  const wanted = toActivation(device)
  const known = await readActivation(session, device.devEui)
  if (known && isSame(known, wanted)) return
  const request = new devicePb.ActivateDeviceRequest()
  request.setDeviceActivation(wanted)
  await session.client.call(service.activate, request)
}

async function readActivation(
  { client }: Session,
  devEui: string,
): Promise<DeviceActivation | undefined> {
  const request = new devicePb.GetDeviceActivationRequest()
  request.setDevEui(devEui.toLowerCase())
  try {
    return (await client.call(service.getActivation, request)).getDeviceActivation()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** LoRaWAN 1.0.x has one network session key, which stands in all three fields. */
function toActivation({ devEui, appKey, radio }: NetworkDevice): DeviceActivation {
  const key = (radio?.networkKey ?? '').toLowerCase()
  const activation = new devicePb.DeviceActivation()
  activation.setDevEui(devEui.toLowerCase())
  activation.setDevAddr((radio?.devAddr ?? '').toLowerCase())
  activation.setAppSKey(appKey.toLowerCase())
  activation.setNwkSEncKey(key)
  activation.setSNwkSIntKey(key)
  activation.setFNwkSIntKey(key)
  return activation
}

function isSame(one: DeviceActivation, other: DeviceActivation): boolean {
  const valuesOf = (each: DeviceActivation) =>
    [each.getDevAddr(), each.getAppSKey(), each.getNwkSEncKey()].join(' ').toLowerCase()
  return valuesOf(one) === valuesOf(other)
}

// How devices speak at ChirpStack v4: version, class and join are those of the device profile,
// api/proto/api/device_profile.proto; sessions of devices without a join, api/proto/api/device.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, { type DeviceActivation } from '@chirpstack/chirpstack-api/api/device_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { findMismatch, refuseOtherKeys } from '../device-radio.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { isDenied, isMissing } from './call-error.ts'
import type { Session } from './client.ts'
import type { Profile, ProfileRadio } from './device-profile.ts'

const service = deviceGrpc.DeviceServiceService

export function profileOf({ account }: Session, { profile }: NetworkDevice): string {
  return profile?.toLowerCase() ?? account.deviceProfileId
}

/** So long one reading of a profile serves further registrations. */
export const profileMilliseconds = 10_000

/** What is wrong with the profile that a new device would get; undefined if nothing is. */
export async function findProfileFault(
  session: Session,
  device: NetworkDevice,
): Promise<NetworkError | undefined> {
  const id = profileOf(session, device)
  const profile = await readProfile(session, id, profileMilliseconds).catch((error) => {
    // The creation of the device reports that the profile is missing.
    if (isMissing(error) || isDenied(error)) return undefined
    throw error
  })
  const mismatch = profile && findMismatch(profile.radio, device)
  if (!mismatch) return undefined
  const words = `The device profile ${id} of ChirpStack is one ${mismatch.there}, and the device is registered ${mismatch.here}: choose another one.`
  return new NetworkError('refused', words)
}

/** Reads the profile, or takes a reading that is not older than `maxAge`, in milliseconds. */
export async function readProfile(session: Session, id: string, maxAge = 0): Promise<Profile> {
  const known = session.profiles.get(id)
  if (known && performance.now() - known.readAt < maxAge) return known
  const request = new deviceProfilePb.GetDeviceProfileRequest()
  request.setId(id)
  const answer = await session.client.call(
    deviceProfileGrpc.DeviceProfileServiceService.get,
    request,
  )
  const profile = answer.getDeviceProfile()
  const is11 = profile?.getMacVersion() === commonPb.MacVersion.LORAWAN_1_1_0
  const radio: ProfileRadio = {
    version: is11 ? '1.1' : '1.0',
    activation: profile?.getSupportsOtaa() ? 'otaa' : 'abp',
    deviceClass: profile?.getSupportsClassC() ? 'C' : 'A',
  }
  const flushesQueue = profile?.getFlushQueueOnActivate() ?? false
  session.profiles.set(id, { radio, flushesQueue, readAt: performance.now() })
  return { radio, flushesQueue }
}

/**
 * Gives a device without a join its session. The same session keeps its counters. A new registration
 * does not replace another one.
 */
export async function activate(session: Session, device: NetworkDevice): Promise<void> {
  const wanted = toActivation(device)
  const known = await readActivation(session, device.devEui)
  if (known && isSame(known, wanted)) return
  refuseOtherKeys('ChirpStack', device, {
    'device address': [known?.getDevAddr(), wanted.getDevAddr()],
    AppSKey: [known?.getAppSKey(), wanted.getAppSKey()],
    NwkSKey: [known?.getNwkSEncKey(), wanted.getNwkSEncKey()],
  })
  const request = new devicePb.ActivateDeviceRequest()
  request.setDeviceActivation(completed(wanted, known))
  await session.client.call(service.activate, request)
}

/** What is not known here stays: a session may be adopted without its keys. */
function completed(wanted: DeviceActivation, known: DeviceActivation | undefined) {
  if (!wanted.getDevAddr()) wanted.setDevAddr(known?.getDevAddr() ?? '')
  if (!wanted.getNwkSEncKey()) {
    wanted.setNwkSEncKey(known?.getNwkSEncKey() ?? '')
    wanted.setSNwkSIntKey(known?.getSNwkSIntKey() ?? '')
    wanted.setFNwkSIntKey(known?.getFNwkSIntKey() ?? '')
  }
  return wanted
}

export async function readActivation(
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

// The payload codec of a device profile, api/proto/api/device_profile.proto.
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import type { ProfileCodec } from '../network.ts'
import type { Session } from './client.ts'

const { CodecRuntime } = deviceProfilePb

export async function readCodec(
  { client }: Session,
  profileId: string,
): Promise<ProfileCodec | undefined> {
  const request = new deviceProfilePb.GetDeviceProfileRequest()
  request.setId(profileId)
  const answer = await client.call(deviceProfileGrpc.DeviceProfileServiceService.get, request)
  const profile = answer.getDeviceProfile()
  const runtime = profile?.getPayloadCodecRuntime()
  if (runtime === CodecRuntime.CAYENNE_LPP) return { format: 'cayenne_lpp' }
  const script = profile?.getPayloadCodecScript() ?? ''
  const isScript = runtime === CodecRuntime.JS && script.trim() !== ''
  return isScript ? { format: 'ts013', script } : undefined
}

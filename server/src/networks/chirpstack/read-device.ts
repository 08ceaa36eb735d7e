// What ChirpStack tells of one device beyond its list: DeviceService.GetKeys, api/proto/api/device.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import type { DeviceDetails } from '../network.ts'
import { isDenied, isMissing } from './call-error.ts'
import type { Session } from './client.ts'
import { findDevice, missingDevice } from './devices.ts'

/** Who may read a device may read its keys (chirpstack/src/api/device.rs, get_keys). */
export async function readDevice(
  session: Session,
  devEui: string,
  wanted: { key: boolean },
): Promise<DeviceDetails> {
  if (!wanted.key) return {}
  const request = new devicePb.GetDeviceKeysRequest()
  request.setDevEui(devEui.toLowerCase())
  try {
    const response = await session.client.call(deviceGrpc.DeviceServiceService.getKeys, request)
    // The AppKey of LoRaWAN 1.0.x is in `nwk_key`.
    return { appKey: response.getDeviceKeys()?.getNwkKey() ?? '' }
  } catch (error) {
    if (!isMissing(error) && !isDenied(error)) throw error
    if (!(await findDevice(session, devEui))) throw missingDevice(devEui)
    if (isDenied(error)) throw error
    return { appKey: '' }
  }
}

// Keys of the devices that join at ChirpStack v4, api/proto/api/device.proto (DeviceKeys). LoRaWAN 1.0.x
// has its AppKey in `nwk_key`. LoRaWAN 1.1 has its NwkKey there, and its AppKey in `app_key`.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, { type DeviceKeys } from '@chirpstack/chirpstack-api/api/device_pb.js'
import { type KnownRadio, refuseOtherKeys } from '../device-radio.ts'
import type { DeviceDetails, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing } from './call-error.ts'
import type { Session } from './client.ts'

const service = deviceGrpc.DeviceServiceService

export async function createKeys(session: Session, device: NetworkDevice): Promise<void> {
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(device.devEui.toLowerCase())
  const request = new devicePb.CreateDeviceKeysRequest()
  request.setDeviceKeys(withOurs(keys, device))
  await session.client.call(service.createKeys, request)
}

/**
 * Writes what is known here over what is there. Updates, because deleting and creating would lose the
 * nonces of earlier joins.
 */
export async function writeKeys(session: Session, device: NetworkDevice): Promise<void> {
  const known = await readKeys(session, device.devEui)
  if (!known) return createKeys(session, device)
  const before = JSON.stringify(known.toObject())
  const [nwkKey, appKey] = [known.getNwkKey(), known.getAppKey()]
  refuseOtherKeys(
    'ChirpStack',
    device,
    isOf11(device.radio)
      ? { AppKey: [appKey, device.appKey], NwkKey: [nwkKey, device.radio?.networkKey] }
      : { AppKey: [nwkKey, device.appKey] },
  )
  const wanted = withOurs(known, device)
  if (JSON.stringify(wanted.toObject()) === before) return
  const request = new devicePb.UpdateDeviceKeysRequest()
  request.setDeviceKeys(wanted)
  await session.client.call(service.updateKeys, request)
}

export async function readKeys(
  { client }: Session,
  devEui: string,
): Promise<DeviceKeys | undefined> {
  const request = new devicePb.GetDeviceKeysRequest()
  request.setDevEui(devEui.toLowerCase())
  try {
    return (await client.call(service.getKeys, request)).getDeviceKeys()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isOf11(radio: KnownRadio | undefined): boolean {
  return radio?.version === '1.1'
}

/** Changes the keys to ours, and leaves the others. */
function withOurs(keys: DeviceKeys, { devEui, appKey, radio }: NetworkDevice): DeviceKeys {
  if (!isOf11(radio)) {
    keys.setNwkKey(appKey.toLowerCase())
    return keys
  }
  if (radio?.networkKey !== undefined) keys.setNwkKey(radio.networkKey.toLowerCase())
  if (!isSet(keys.getNwkKey())) {
    const words = `The NwkKey of the device ${devEui} of LoRaWAN 1.1 is known neither here nor at ChirpStack.`
    throw new NetworkError('refused', words)
  }
  keys.setAppKey(appKey.toLowerCase())
  return keys
}

/** Zeros stand for a key that is not there. */
function isSet(key: string): boolean {
  return /[^0]/.test(key)
}

/** The keys in our own form; the AppKey is '' if the device has none. */
export function toDetails(keys: DeviceKeys | undefined, radio: KnownRadio): DeviceDetails {
  const [nwkKey, appKey] = [keys?.getNwkKey() ?? '', keys?.getAppKey() ?? '']
  if (!isOf11(radio)) return { appKey: isSet(nwkKey) ? nwkKey : '', radio }
  const isWhole = isSet(appKey) && isSet(nwkKey)
  return {
    appKey: isWhole ? appKey : '',
    radio: isSet(nwkKey) ? { ...radio, networkKey: nwkKey } : radio,
  }
}

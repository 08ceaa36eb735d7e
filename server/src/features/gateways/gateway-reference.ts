import { type DeviceReference, readDeviceReference } from '../devices/device-reference.ts'

/** How a path names a gateway: by its EUI in any case, or by its integer id. */
export type GatewayReference = DeviceReference

/** The rules of devices hold: 16 digits are an EUI, and text that can name none names none. */
export function readGatewayReference(text: string): GatewayReference {
  return readDeviceReference(text)
}

export const gatewayNotFound = 'Gateway not found!'

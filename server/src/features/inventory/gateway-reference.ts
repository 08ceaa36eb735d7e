import { z } from 'zod'
import { type DeviceReference, readDeviceReference } from './references.ts'

/** The gateway of a path. */
export const gatewayPath = z.object({
  gateway_id: z.string().meta({
    description: 'Integer id, or gateway EUI in any case.',
    examples: ['00AA0000000000F1'],
  }),
})

/** How a path names a gateway: by its EUI in any case, or by its integer id. */
export type GatewayReference = DeviceReference

/** The rules of devices hold: 16 digits are an EUI, and text that can name none names none. */
export function readGatewayReference(text: string): GatewayReference {
  return readDeviceReference(text)
}

export const gatewayNotFound = 'Gateway not found!'

import { z } from 'zod'
import { largestInteger } from '../../http/fields.ts'
import { isEui, normalizeEui } from '../../lora/eui.ts'

/** The device of a path. */
export const devicePath = z.object({
  device_id: z
    .string()
    .meta({ description: 'DevEUI in any case, or integer id.', examples: ['00AA000000000001'] }),
})

/** How a path names a device: by its DevEUI in any case, or by its integer id. */
export interface DeviceReference {
  id: number | null
  eui: string | null
}

/**
 * Text that can name no device names none. 16 digits are read as a DevEUI, never as an id, since
 * ids stay far below that.
 */
export function readDeviceReference(text: string): DeviceReference {
  if (isEui(text)) return { id: null, eui: normalizeEui(text) }
  const id = /^\d{1,10}$/.test(text) ? Number(text) : null
  return { id: id !== null && id <= largestInteger ? id : null, eui: null }
}

/**
 * SQL: the id of the device named by `$2`, its id, or `$3`, its EUI, of the organization `$1`. As one
 * condition with `or` a plan that was made while the organization was small reads all of its devices.
 */
export const referredDevice = `(
  case when $3::text is null then $2::bigint else (
    select referred.id from devices as referred
    where referred.organization_id = $1 and referred.eui = $3 and referred.deleted_at is null
  ) end
)`

import { z } from 'zod'
import { largestInteger } from '../../../http/fields.ts'
import { toEui } from '../../../lora/eui.ts'
import { findDeviceType, fullName } from '../../../sensors/index.ts'

/** The type of a device, with the names of one of the organization's own. */
export interface TypeColumns {
  type_id: number
  custom_type_name: string | null
  custom_part_number: string | null
}

/** The name of a device's type; empty where the type is gone. */
export function typeName(columns: TypeColumns): string {
  const { type_id, custom_type_name: typeName, custom_part_number: partNumber } = columns
  if (typeName !== null) return fullName({ typeName, partNumber: partNumber ?? '' })
  const type = findDeviceType(type_id)
  return type ? fullName(type) : ''
}

/** The device of a path. */
export const devicePath = z.object({
  device_id: z
    .string()
    .meta({ description: 'DevEUI in any case, or integer id.', examples: ['00AA000000000001'] }),
})

/** The gateway of a path. */
export const gatewayPath = z.object({
  gateway_id: z.string().meta({
    description: 'Integer id, or gateway EUI in any case.',
    examples: ['00AA0000000000F1'],
  }),
})

export const gatewayNotFound = 'Gateway not found!'

/** How a path names a device or a gateway: by its EUI in any case, or by its integer id. */
export interface Reference {
  id: number | null
  eui: string | null
}

/** 16 digits, with dashes or colons between, are an EUI, never an id, since ids stay far below that. Other text names nothing. */
export function readReference(text: string): Reference {
  const eui = toEui(text)
  if (eui !== undefined) return { id: null, eui }
  const id = /^\d{1,10}$/.test(text) ? Number(text) : null
  return { id: id !== null && id <= largestInteger ? id : null, eui: null }
}

/**
 * SQL: the id of the device named by `$2`, its id, or `$3`, its EUI, of the organization `$1`. With
 * `or` instead, a plan made while the organization was small would read all of its devices.
 */
export const referredDevice = `(
  case when $3::text is null then $2::bigint else (
    select referred.id from devices as referred
    where referred.organization_id = $1 and referred.eui = $3 and referred.deleted_at is null
  ) end
)`

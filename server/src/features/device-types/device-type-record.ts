import { z } from 'zod'
import { isoTime } from '../../http/timestamps.ts'
import { fullName } from '../../sensors/index.ts'
import { codecExample } from './codec-example.ts'
import type { StoredType, TypeSummary } from './device-type-queries.ts'

export const payloadFormat = z.enum(['ts013', 'cayenne_lpp'], {
  error: ({ input }) =>
    input === undefined || input === null
      ? 'The payload format field is required.'
      : 'The payload format must be one of: ts013, cayenne_lpp.',
})

/** A device type of the organization's own, as lists show it. */
export const customTypeSummary = z
  .object({
    id: z.int(),
    type_name: z.string(),
    part_number: z.string(),
    full_name: z.string(),
    payload_format: payloadFormat,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'CustomDeviceTypeSummary' })

export const customType = z
  .object({
    ...customTypeSummary.shape,
    codec: z.string().nullable(),
    examples: z.array(codecExample),
  })
  .meta({ id: 'CustomDeviceType' })

export function toTypeSummary(type: TypeSummary): z.infer<typeof customTypeSummary> {
  return {
    id: type.id,
    type_name: type.type_name,
    part_number: type.part_number,
    full_name: fullName({ partNumber: type.part_number, typeName: type.type_name }),
    payload_format: type.payload_format,
    created_at: isoTime(type.created_at),
    updated_at: isoTime(type.updated_at),
  }
}

export function toCustomType(type: StoredType): z.infer<typeof customType> {
  return { ...toTypeSummary(type), codec: type.codec, examples: type.examples }
}

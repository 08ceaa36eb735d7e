import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { fullName } from '../../../sensors/index.ts'
import { exampleCodec, storedExample } from './codec-example.ts'
import type { StoredType, TypeSummary } from './device-type-queries.ts'
import { ownMeasurement, toOwnMeasurement } from './own-measurement.ts'
import { typeOrigin } from './type-origin.ts'

export const payloadFormat = z.enum(['ts013', 'cayenne_lpp'], {
  error: ({ input }) =>
    input === undefined || input === null
      ? 'The payload format field is required.'
      : 'The payload format must be one of: ts013, cayenne_lpp.',
})

/** An organization's own device type in lists. */
export const customTypeSummary = z
  .object(
    withExamples(
      {
        id: z.int(),
        type_name: z.string(),
        part_number: z.string(),
        full_name: z.string(),
        payload_format: payloadFormat,
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        id: 1004,
        type_name: 'Freezer probe',
        part_number: 'FP-1',
        full_name: 'FP-1 - Freezer probe',
        payload_format: 'ts013',
        created_at: '2026-02-20T14:05:00.000000Z',
        updated_at: '2026-02-20T14:05:00.000000Z',
      },
    ),
  )
  .meta({ id: 'CustomDeviceTypeSummary' })

export const customType = z
  .object({
    ...customTypeSummary.shape,
    ...withExamples({ codec: z.string().nullable() }, { codec: exampleCodec }),
    examples: z.array(storedExample),
    measurements: z.array(ownMeasurement),
    catalogue: typeOrigin
      .nullable()
      .describe('The model that it was made of; null where it was made by hand.'),
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
  const { codec, examples, measurements, catalogue } = type
  return {
    ...toTypeSummary(type),
    codec,
    examples,
    measurements: measurements.map(toOwnMeasurement),
    catalogue,
  }
}

export const deviceTypePath = z.object({ id: pathId('1004') })

/** 404 for types that do not exist, are built in, or belong to other organizations. */
export function deviceTypeNotFound(): HttpError {
  return notFound('Device type not found')
}

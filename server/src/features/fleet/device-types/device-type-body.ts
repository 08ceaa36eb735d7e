import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type FieldErrors, invalid, unavailable } from '../../../http/errors.ts'
import { isStorable, optionalText, requiredText } from '../../../http/fields.ts'
import { longestSource } from '../../../sensors/codecs/codec.ts'
import type { CodecPool, CodecUser } from '../../../sensors/codecs/pool.ts'
import { codecExample } from './codec-example.ts'
import type { PayloadFormat } from './device-type-queries.ts'
import { payloadFormat } from './device-type-record.ts'
import { ownMeasurements } from './own-measurement.ts'

const mostExamples = 200

/** JavaScript. Null where the format needs none. */
export const codecSource = z
  .string({ error: 'The codec must be a string.' })
  .refine(isStorable, 'The codec contains a character that is not allowed.')
  .refine(
    (source) => Buffer.byteLength(source) <= longestSource,
    `The codec may not have more than ${longestSource} bytes.`,
  )

/** The fields of POST; PATCH takes any part of them. */
export const deviceTypeFields = {
  type_name: requiredText('type name'),
  part_number: optionalText('part number'),
  payload_format: payloadFormat,
  codec: codecSource.nullish(),
  examples: z
    .array(codecExample, { error: 'The examples must be an array.' })
    .max(mostExamples, `The examples may not have more than ${mostExamples} items.`)
    .optional(),
  measurements: ownMeasurements
    .optional()
    .describe('What you say of the values of the codec; the others stay as it gives them.'),
}

/**
 * Checks a codec of this format. Any codec that parses is accepted: frames that it cannot read are
 * stored anyway.
 *
 * @throws HttpError 422 with what is wrong, 503 when the sandbox is busy.
 */
export async function checkCodec(
  codecs: CodecPool,
  user: CodecUser,
  { payload_format, codec }: { payload_format: PayloadFormat; codec: string | null },
): Promise<void> {
  const errors = await findCodecFaults(codecs, user, { payload_format, codec })
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** The faults of the codec in a body whose other fields are invalid. */
export async function findCodecFaultsIn(
  codecs: CodecPool,
  user: CodecUser,
  sent: Record<string, unknown>,
): Promise<FieldErrors> {
  const format = payloadFormat.safeParse(sent.payload_format)
  const codec = deviceTypeFields.codec.safeParse(sent.codec)
  if (!format.success || !codec.success) return {}
  return findCodecFaults(codecs, user, {
    payload_format: format.data,
    codec: codec.data || null,
  })
}

/** Identifies a source that has no revision: sources with the same codecId run as one codec. */
export function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('hex')
}

async function findCodecFaults(
  codecs: CodecPool,
  user: CodecUser,
  { payload_format, codec }: { payload_format: PayloadFormat; codec: string | null },
): Promise<FieldErrors> {
  if (payload_format === 'cayenne_lpp') {
    return codec === null ? {} : { codec: ['The payload format cayenne_lpp takes no codec.'] }
  }
  if (codec === null) return { codec: ['The codec field is required.'] }
  const codecId = `parse of ${user.organizationId}:${hashOf(codec)}`
  const parsed = await codecs.run({
    user,
    codecId,
    source: codec,
    name: 'parse',
    input: '',
  })
  if (parsed.ok) return {}
  if (parsed.failure === 'busy') throw unavailable(1)
  return { codec: [parsed.message] }
}

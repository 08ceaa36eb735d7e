import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { endpoint } from '../core-services.ts'
import { exampleCodec } from './codec-example.ts'
import { checkCodec, deviceTypeFields } from './device-type-body.ts'
import * as typeQueries from './device-type-queries.ts'
import { deviceTypeNotFound, deviceTypePath } from './device-type-record.ts'
import { savedTypeAnswer, toSavedTypeAnswer } from './saved-type.ts'

export const updateDeviceType = endpoint({
  summary: 'Change a device type of your own; what is left out stays',
  description: `Frames that come after it are read with the new codec; those that are stored stay as
they were read; POST /device-types/{id}/decode-again reads the \`UNKNOWN\` ones again.
POST /device-types/{id}/try tells beforehand what would change.`,
  params: deviceTypePath,
  bodyLimit: bodyLimits.codec,
  body: z.object(deviceTypeFields).partial(),
  examples: [{ name: 'new codec', body: { codec: exampleCodec } }],
  answer: savedTypeAnswer,
  failures: [404, 503],
  change: changeOf('device_type', 'changed'),
  async handle({ params, body, caller, record }, services) {
    const { db, codecs, now } = services
    const { organizationId } = caller
    const before = await typeQueries.find(db, organizationId, params.id)
    if (!before) throw deviceTypeNotFound()
    // Outside the transaction, because a thread may have to start first.
    await checkCodec(codecs, caller, merge(before, body))
    const type = await db.transaction(async (tx) => {
      const stored = await typeQueries.find(tx, organizationId, params.id, 'for update')
      if (!stored) throw deviceTypeNotFound()
      const values = merge(stored, body)
      const isReadAnew =
        values.codec !== stored.codec || values.payload_format !== stored.payload_format
      const revision = stored.revision + (isReadAnew ? 1 : 0)
      await record(tx)
      return typeQueries.update(tx, organizationId, { ...values, id: stored.id, revision }, now())
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

const changes = z.object(deviceTypeFields).partial()

/** A type that changes to CayenneLPP loses its codec. */
function merge(
  stored: typeQueries.StoredType,
  body: z.infer<typeof changes>,
): typeQueries.TypeValues {
  const payload_format = body.payload_format ?? stored.payload_format
  const kept = payload_format === 'cayenne_lpp' ? null : stored.codec
  return {
    type_name: body.type_name ?? stored.type_name,
    part_number: body.part_number ?? stored.part_number,
    payload_format,
    codec: body.codec === undefined ? kept : body.codec || null,
    examples: body.examples ?? stored.examples,
  }
}

import { z } from 'zod'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pageQuery } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { statesOf } from '../../../sensors/measurements.ts'
import { endpoint } from '../../core-services.ts'
import { exampleCall, exampleCodec, exampleOutput } from './codec-example.ts'
import { beginRun } from './decoding-run-queries.ts'
import { checkCodec, deviceTypeFields, findCodecFaultsIn } from './device-type-body.ts'
import * as typeQueries from './device-type-queries.ts'
import {
  customType,
  customTypeSummary,
  deviceTypeNotFound,
  deviceTypePath,
  toCustomType,
  toTypeSummary,
} from './device-type-record.ts'
import { completeQuantities } from './normalized-quantities.ts'
import { toDeclaration } from './own-measurement.ts'
import { savedTypeAnswer, toSavedTypeAnswer } from './saved-type.ts'

export const listCustomTypes = endpoint({
  summary: 'Device types of your own',
  query: z.object(pageQuery),
  answer: paginated(customTypeSummary),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, types } = await typeQueries.list(db, caller.organizationId, page)
    return paginatedList(types.map(toTypeSummary), total, page, {
      request,
      payload: { page: query.page, itemsPerPage: query.itemsPerPage },
    })
  },
})

export const getDeviceType = endpoint({
  summary: 'Retrieve a device type of your own, with its codec and examples',
  params: deviceTypePath,
  answer: z.object({ data: customType }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const type = await typeQueries.find(db, caller.organizationId, params.id)
    if (!type) throw deviceTypeNotFound()
    return { data: toCustomType(type) }
  },
})

export const createDeviceType = endpoint({
  summary: 'Make a device type of your own',
  description: `Its devices are registered with the id that is answered. With the format \`ts013\`
their frames are read by your codec, JavaScript of up to 256 kB as The Things Network and ChirpStack
take it (LoRa Alliance TS013, the functions \`decodeUplink\`, \`encodeDownlink\`, \`decodeDownlink\`);
with \`cayenne_lpp\` by the service itself. Members of \`data\` become members of \`decoded_object\`. A
frame that the codec does not read is kept as \`UNKNOWN\`, with the reason. Examples are run at each
change, and a failing one is told and stops nothing.`,
  bodyLimit: bodyLimits.codec,
  body: z.object(deviceTypeFields),
  status: 201,
  answer: savedTypeAnswer,
  failures: [503],
  alsoWrong: (sent, caller, { codecs }) => findCodecFaultsIn(codecs, caller, sent),
  examples: [
    {
      name: 'temperature',
      body: {
        type_name: 'Freezer probe',
        part_number: 'FP-1',
        payload_format: 'ts013',
        codec: exampleCodec,
        examples: [{ input: exampleCall, output: exampleOutput }],
      },
    },
  ],
  change: creationOf('device_type', 'type_name'),
  async handle({ body, caller, record }, services) {
    const { db, codecs, now } = services
    const { organizationId } = caller
    const { part_number, examples = [], measurements: sent = [], ...rest } = body
    const measurements = sent.map(toDeclaration)
    const own = { codec: body.codec || null, examples, measurements }
    const values = { ...rest, part_number: part_number ?? '', ...own }
    await checkCodec(codecs, caller, values)
    const completed = await completeQuantities(services, caller, values)
    const type = await db.transaction(async (tx) => {
      const made = await typeQueries.insert(tx, organizationId, completed, now())
      await record(tx, { data: { id: made.id } })
      return made
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

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
    const merged = merge(before, body)
    await checkCodec(codecs, caller, merged)
    const isNew = body.codec !== undefined || body.examples !== undefined
    const { measurements } = isNew ? await completeQuantities(services, caller, merged) : merged
    const type = await db.transaction(async (tx) => {
      const stored = await typeQueries.find(tx, organizationId, params.id, 'for update')
      if (!stored) throw deviceTypeNotFound()
      const values = { ...merge(stored, body), measurements }
      const isReadAnew =
        values.codec !== stored.codec || values.payload_format !== stored.payload_format
      const revision = stored.revision + (isReadAnew ? 1 : 0)
      await record(tx)
      if (stateNames(stored) !== stateNames({ ...stored, measurements: [...measurements] })) {
        await typeQueries.noteStates(tx, organizationId, stored.id)
      }
      return typeQueries.update(tx, organizationId, { ...values, id: stored.id, revision }, now())
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

function stateNames({ id, payload_format: format, measurements }: typeQueries.StoredType): string {
  const states = statesOf({ type_id: id, own_type: { format, measurements } })
  return JSON.stringify(states.map(({ name }) => name))
}

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
    measurements: body.measurements?.map(toDeclaration) ?? stored.measurements,
  }
}

export const deleteDeviceType = endpoint({
  summary: 'Delete a device type of your own that no device has',
  params: deviceTypePath,
  status: 204,
  failures: [404, 422],
  change: changeOf('device_type', 'deleted'),
  async handle({ params, caller, record }, { db }) {
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      const type = await typeQueries.find(tx, organizationId, params.id, 'for update')
      if (!type) throw deviceTypeNotFound()
      const count = await typeQueries.countDevices(tx, organizationId, type.id)
      if (count > 0) {
        const devices = count === 1 ? '1 device' : `${count} devices`
        throw invalid({ id: [`The device type is in use by ${devices}.`] })
      }
      await typeQueries.remove(tx, organizationId, type.id)
      await record(tx)
    })
  },
})

export const decodeTypeAgain = endpoint({
  summary: 'Decode the stored UNKNOWN frames of a device type of your own again',
  description: `For frames that came before the codec was fixed. The background looks through all stored
uplinks of the organization, whose number is answered, and reads the frames of devices of this type
that are \`UNKNOWN\` with the codec of now. Only the stored readings change: webhooks and alerts are
not told again. Frames for which the codec had no time are decoded later without this.`,
  params: deviceTypePath,
  status: 202,
  answer: z.object({ data: z.object(withExamples({ uplinks: z.int() }, { uplinks: 1200 })) }),
  failures: [404],
  change: changeOf('device_type', 'decoded'),
  async handle({ params, caller, record }, { db }) {
    const uplinks = await db.transaction(async (tx) => {
      const found = await beginRun(tx, caller.organizationId, params.id)
      if (found === undefined) throw deviceTypeNotFound()
      await record(tx)
      return found
    })
    return { data: { uplinks } }
  },
})

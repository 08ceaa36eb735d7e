import { z } from 'zod'
import { creationOf } from '../../http/change-record.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { endpoint } from '../core-services.ts'
import { exampleCall, exampleCodec, exampleOutput } from './codec-example.ts'
import { checkCodec, deviceTypeFields, findCodecFaultsIn } from './device-type-body.ts'
import * as typeQueries from './device-type-queries.ts'
import { savedTypeAnswer, toSavedTypeAnswer } from './saved-type.ts'

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
    const { part_number, examples = [], ...rest } = body
    const values = { ...rest, part_number: part_number ?? '', codec: body.codec || null, examples }
    await checkCodec(codecs, caller, values)
    const type = await db.transaction(async (tx) => {
      const made = await typeQueries.insert(tx, organizationId, values, now())
      await record(tx, { data: { id: made.id } })
      return made
    })
    return toSavedTypeAnswer(services, caller, type)
  },
})

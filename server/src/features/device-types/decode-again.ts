import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { withExamples } from '../../http/examples.ts'
import { endpoint } from '../core-services.ts'
import { beginRun } from './decoding-run-queries.ts'
import { deviceTypeNotFound, deviceTypePath } from './device-type-record.ts'

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

import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { CodecOutcome } from '../../../sensors/codecs/codec.ts'
import { renderObject } from '../../../sensors/render.ts'
import { openVariables } from '../inventory/device-queries.ts'
import { type CodecInput, difference } from './codec-example.ts'
import { compareJson } from './differences.ts'
import type { PastUplink } from './past-uplink-queries.ts'
import { toReading } from './type-codec.ts'

/** Decodes stored uplinks again to show what another codec would change. */

const decoded = z.object({
  event_type: z.string(),
  decoded_object: z.record(z.string(), z.unknown()),
})

function exampleReading(temperature: number) {
  return {
    event_type: 'DECODED',
    decoded_object: { eventDescription: `temperature: ${temperature}`, temperature },
  }
}

const replayedUplink = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        device_id: z.string(),
        event_time: z.string(),
        data: z.string(),
        f_port: z.int(),
        before: decoded,
        after: decoded,
      },
      {
        id: 90210,
        device_id: '00AA000000000001',
        event_time: '2026-03-01T11:59:07.775023Z',
        data: '00d7',
        f_port: 1,
        before: exampleReading(2.15),
        after: exampleReading(21.5),
      },
    ),
    /** Empty when the reading stays the same. */
    differences: z.array(difference),
  })
  .meta({ id: 'ReplayedUplink' })

export const replayed = z
  .object({
    uplinks: z.array(replayedUplink),
    /** The number of uplinks whose reading would change. */
    changed: z.int().meta({ examples: [1] }),
  })
  .meta({ id: 'Replay' })

export async function replay(
  sealer: Pick<Sealer, 'open'>,
  uplinks: readonly PastUplink[],
  decode: (input: CodecInput) => Promise<CodecOutcome>,
): Promise<z.infer<typeof replayed>> {
  const read = await Promise.all(
    uplinks.map(async (uplink) => {
      const recvTime = isoTime(uplink.event_time)
      const variables = openVariables(sealer, uplink.device_pk, uplink.sealed_variables)
      const frame = { hex: uplink.payload, fPort: uplink.f_port, recvTime, variables }
      const outcome = await decode(frame)
      return toReplayed(uplink, outcome)
    }),
  )
  return { uplinks: read, changed: read.filter(({ differences }) => differences.length > 0).length }
}

function toReplayed(uplink: PastUplink, outcome: CodecOutcome): z.infer<typeof replayedUplink> {
  const { event_type, decoded_object } = uplink
  const reading = toReading(outcome)
  const before = { event_type, decoded_object }
  const after = { event_type: reading.event, decoded_object: renderObject(reading) }
  return {
    id: uplink.id,
    device_id: uplink.device_eui,
    event_time: isoTime(uplink.event_time),
    data: uplink.payload,
    f_port: uplink.f_port,
    before,
    after,
    differences: compareJson(before, after),
  }
}

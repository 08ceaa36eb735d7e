import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { countUnchained } from './chain-queries.ts'
import { type StoredVerification, verifyStored } from './verify-chain.ts'

const verification = z
  .object(
    withExamples(
      {
        is_whole: z.boolean(),
        records: z.int().describe('Records that fit together, from the oldest.'),
        waiting: z.int().describe('Records that are not chained yet.'),
        removed: z.int().describe('The position of the newest record that retention removed.'),
        last: z.int().describe('The position of the newest record that was checked.'),
        last_hash: z.string(),
        began_at: z
          .string()
          .nullable()
          .describe('When the chain began; null where there is none yet.'),
        fault: z
          .object({ position: z.int(), message: z.string() })
          .nullable()
          .describe('The first record that does not fit; position 0: the head of the chain.'),
      },
      {
        is_whole: true,
        records: 31,
        waiting: 0,
        removed: 0,
        last: 31,
        last_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        began_at: '2026-03-01T12:00:00.000000Z',
        fault: null,
      },
    ),
  )
  .meta({ id: 'ActivityVerification' })

export const verifyActivity = endpoint({
  summary: 'Whether the chain of the activity is whole',
  description: `Reads every record and its hash, and compares the newest one with the sealed head of the
chain. A record that was changed, added or removed in the database is named as \`fault\`.`,
  isHeavy: true,
  answer: z.object({ data: verification }),
  async handle({ caller: { organizationId } }, { db, sealer }) {
    const found = await verifyStored(db, sealer, organizationId)
    return { data: toRecord(found, await countUnchained(db, organizationId)) }
  },
})

function toRecord(
  { fault, records, last, head }: StoredVerification,
  waiting: number,
): z.infer<typeof verification> {
  return {
    is_whole: fault === undefined,
    records,
    waiting,
    removed: head?.removed.position ?? 0,
    last: last.position,
    last_hash: last.hash,
    began_at: head ? isoTimeOf(new Date(head.began_at)) : null,
    fault: fault ?? null,
  }
}

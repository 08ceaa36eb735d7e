import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { queryTime } from '../../http/fields.ts'

/** The longest mute: whoever wants more switches the rule off. */
const longestDays = 366

export const muteBody = z.object(
  withExamples(
    {
      until: queryTime('until').nullable().describe('Nobody is told before; null ends the mute.'),
    },
    { until: '2026-03-02T06:00:00Z' },
  ),
)

/** @throws HttpError 422 for a time that is over, or too far away. */
export function readUntil({ until }: z.infer<typeof muteBody>, now: Date): Date | null {
  if (until === null) return null
  const latest = now.getTime() + longestDays * 24 * 60 * 60 * 1000
  if (until <= now || until.getTime() > latest) {
    throw invalid({ until: [`The until must be a time within the next ${longestDays} days.`] })
  }
  return until
}

import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import { type ReadRange, readUplinks } from './heard-queries.ts'

/** What the lists of a gateway's devices and uplinks have in common. */

export const aboutReading =
  `Reads the organization’s newest ${readUplinks.toLocaleString('en-US')} uplinks at most; \`read\`` +
  ' says how many these were, and the earliest time among them. `total` is of these.'

export const readRange = z
  .object(
    withExamples(
      { uplinks: z.int(), since: z.string().nullable() },
      { uplinks: 20_000, since: '2026-02-27T08:14:55.000000Z' },
    ),
  )
  .meta({ id: 'ReadRange' })

export function toReadRange({ uplinks, since }: ReadRange): z.infer<typeof readRange> {
  return { uplinks, since: since === null ? null : isoTime(since) }
}

/** A tenth of a dB is more than receivers can tell. */
export function rounded(mean: number | null): number | null {
  return mean === null ? null : Math.round(mean * 10) / 10
}

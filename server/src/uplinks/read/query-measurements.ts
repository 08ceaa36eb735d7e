import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { mostUplinks } from './measurement-queries.ts'
import {
  count,
  measurementQuery,
  mostByChoice,
  mostPoints,
  mostSeries,
  mostTotal,
  readMeasurements,
  seriesRecord,
} from './read-measurements.ts'

export const queryMeasurements = endpoint({
  summary: 'History of measurements of many devices',
  description: `Each number of \`decoded_object\` in the uplinks from \`from\` until before \`to\`, summed up by
\`step\`. The range is widened to whole steps: those of an hour and less are UTC's, longer ones begin at
midnight in \`time_zone\` (UTC), weeks with \`week_start\` (Monday). Steps without a value are left out, and so are devices of a
group, type or tag without any. \`auto\` chooses a step with up to ${count(mostPoints)} points for each series and
${count(mostByChoice)} for all.

The aggregate \`time_in\` tells of states, such as whether a door is open, how many seconds of each step they had each of
\`values\`, in steps of an hour or more. A value holds until the next one, through uplinks that say nothing of it, and until the
device falls silent; the rest of the step is not known (see GET /devices/{device_id}/states).

At most ${count(mostSeries)} series of ${count(mostPoints)} points, and ${count(mostTotal)} points together. Steps below an hour are read from
up to ${count(mostUplinks)} uplinks. More is refused with 422.`,
  body: measurementQuery,
  examples: [
    {
      name: 'daily temperatures',
      body: {
        from: '2026-02-01T00:00:00Z',
        to: '2026-03-01T00:00:00Z',
        step: '1d',
        aggregate: ['min', 'avg', 'max'],
        series: [{ device_type: 16, quantity: 'air.temperature' }],
      },
      answer: { data: [] },
    },
  ],
  changesNothing: true,
  answer: z.object({ data: z.array(seriesRecord) }),
  isLarge: true,
  async handle({ body, caller }, { db, now }) {
    return { data: await readMeasurements(db, caller, body, now()) }
  },
})

import { z } from 'zod'
import { invalid, notFound } from '../../../http/errors.ts'
import { queryInteger, queryTime } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import { findHealthDevice, mostFrames, mostGateways, readRadio } from './radio-queries.ts'
import { radioRecord, toRadioRecord } from './radio-record.ts'

const week = 7 * 24 * 60 * 60 * 1000
const most = mostFrames.toLocaleString('en-US')

export const showRadio = endpoint({
  summary: 'How the frames of a device arrive: lost frames, signal, data rates, gateways',
  description: `The uplinks with \`since\` <= \`event_time\` < \`until\` (the last 7 days unless said otherwise) in up to
\`points\` equal parts of the range; parts without an uplink are left out.

\`lost\` are the gaps of the frame counter. A gap counts in the part of the frame after it. Frames
that arrive late are not lost, and \`repeated\` ones count once. Where the counter begins again after a
join, a restart of the sensor, or its 16th bit (\`restarts\`, the newest 100), nothing is counted as
lost.

The newest ${most} uplinks of the range are read. If it holds more, \`is_complete\` is false and
\`since\` is the time of the first one that was read. \`gateways\` are the ${mostGateways} that heard the most, with
\`id\` and \`name\` of those registered here, at the place entered here or, without one, told by the
network last.`,
  examples: [{ name: 'a day', query: { since: '2026-02-28T00:00:00Z', points: '24' } }],
  params: devicePath,
  query: z.object({
    since: queryTime('since').optional(),
    until: queryTime('until').optional(),
    points: queryInteger('points', { min: 1, max: 1000, fallback: 100 }),
  }),
  answer: z.object({ data: radioRecord }),
  failures: [404],
  isLarge: true,
  async handle({ params, query, caller }, { db, now }) {
    const { organizationId } = caller
    const until = query.until ?? now()
    const since = query.since ?? new Date(until.getTime() - week)
    if (since >= until) throw invalid({ since: ['The since must be before the until.'] })
    const device = await findHealthDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const width = Math.ceil((until.getTime() - since.getTime()) / query.points)
    const range = { since, until, width }
    const found = await readRadio(db, organizationId, device, range)
    if (found === 'too_much') {
      throw invalid({ since: ['The range is too long to be read at once. Choose a shorter one.'] })
    }
    return { data: toRadioRecord(range, found.readings, found.joins) }
  },
})

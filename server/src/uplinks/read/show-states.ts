import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { devicePath, readReference } from '../../features/fleet/inventory/references.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { queryTime } from '../../http/fields.ts'
import { mostChanges, readIntervals, stateRecord } from './device-states.ts'
import { findDevice } from './measurement-queries.ts'
import { behind } from './points-queries.ts'
import { toRange } from './steps.ts'

export const showStates = endpoint({
  summary: 'The states of a device as intervals, such as how long a door was open',
  description: `The states that the device's uplinks said with \`from\` <= \`event_time\` < \`to\` (the last 24 hours unless
said otherwise). Uplinks that repeat a value lengthen its interval. What was in force when the range
begins, by an uplink of the 30 days before, is cut off there. A value ends when the device falls silent, which is
when its verdict would be \`silent\`, and is not known until the device says it again. A range with more than
${mostChanges.toLocaleString('en-US')} intervals is refused with 422. Own device types have the states that their owner declares.`,
  params: devicePath,
  query: z.object({ from: queryTime('from').optional(), to: queryTime('to').optional() }),
  answer: z.object({ data: z.array(stateRecord) }),
  failures: [404],
  isLarge: true,
  async handle({ params, query, caller: { organizationId } }, { db, now }) {
    const time = now()
    const range = { ...toRange(query, time), now: time }
    const device = await findDevice(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const data = await readIntervals(db, organizationId, device, range)
    if (data === 'too_many') throw invalid({ from: [tooMany] })
    if (data === 'behind') throw invalid({ from: [behind] })
    return { data }
  },
})

const tooMany = 'The range holds too many changes. Please choose a shorter one.'

import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { checkDevices } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'
import { changeDevices } from './membership-queries.ts'

function deviceIds(label: string) {
  return z
    .array(requiredInteger('device id'), { error: `The ${label} must be an array.` })
    .max(100_000, `The ${label} may not have more than 100,000 entries.`)
    .transform((ids) => [...new Set(ids)])
    .optional()
}

/** PATCH /device-groups sets the whole list, so two members who add at once would lose devices. */
export const changeGroupDevices = endpoint({
  summary: 'Add devices to a group, and take others out; all others stay',
  params: groupPath,
  bodyLimit: bodyLimits.batch,
  body: z.object(
    withExamples(
      { add: deviceIds('add'), remove: deviceIds('remove') },
      { add: [101], remove: [] },
    ),
  ),
  answer: z.object({
    data: z.object(withExamples({ added: z.int(), removed: z.int() }, { added: 1, removed: 0 })),
  }),
  failures: [404],
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const { add = [], remove = [] } = body
    const data = await db.transaction(async (tx) => {
      const group = await groupQueries.lock(tx, organizationId, params.group_id)
      if (!group) throw groupNotFound()
      const { selectedDevices: faults } = await checkDevices(tx, organizationId, add)
      if (faults) throw invalid({ add: faults.map(nameAdd) })
      const change = { id: group.id, add, remove }
      await record(tx)
      return changeDevices(tx, organizationId, change, now())
    })
    return { data }
  },
})

function nameAdd(fault: string): string {
  return fault.replace('The selected devices', 'The devices to add')
}

import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { groupState, readGroupStates, readStatesBelow } from './group-states.ts'

export const listGroupStates = endpoint({
  summary: 'List all groups without their devices, with how these are',
  description:
    'In order of ids; `parent_id` makes the tree. A device in several groups is counted in each of' +
    ' them, and once in every group above them.',
  answer: z.object({ data: z.array(groupState), total: z.int().meta({ examples: [1] }) }),
  isLarge: true,
  async handle({ caller }, { db, now }) {
    const { organizationId, groupId } = caller
    const data =
      groupId === undefined
        ? await readGroupStates(db, organizationId, now())
        : await readStatesBelow(db, organizationId, groupId, now())
    return { data, total: data.length }
  },
})

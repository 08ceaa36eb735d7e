import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { changeOf } from '../../http/change-record.ts'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredInteger, requiredText } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { checkParent } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'

const changes = z.object(
  withExamples(
    {
      name: requiredText('name').optional(),
      /** Null makes it a top-level group. */
      parent_id: requiredInteger('parent id').nullish(),
    },
    { name: 'Ground floor', parent_id: 3 },
  ),
)

/**
 * PATCH /device-groups needs the name to move a group, which another member may have changed, and
 * answers with all devices of the group.
 */
export const changeGroup = endpoint({
  summary: 'Rename a group, or move it with its subgroups; what is left out stays',
  params: groupPath,
  body: changes,
  answer: z.object({
    data: z.object(
      withExamples(
        { id: z.int(), name: z.string(), parent_id: z.int().nullable() },
        { id: 12, name: 'Ground floor', parent_id: 3 },
      ),
    ),
  }),
  failures: [404],
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const change = { id: params.group_id, body, now: now() }
    const group = await db.transaction(async (tx) => {
      const changed = await changeNode(tx, organizationId, change)
      await record(tx)
      return changed
    })
    return { data: { id: group.id, name: group.name, parent_id: group.parent_id } }
  },
})

interface Change {
  id: number
  body: z.infer<typeof changes>
  now: Date
}

/** @throws HttpError 404 or 422; then nothing has changed. */
async function changeNode(
  tx: Queryable,
  organizationId: number,
  { id, body, now }: Change,
): Promise<groupQueries.StoredGroup> {
  const { name, parent_id: parentId } = body
  if (parentId !== undefined) await groupQueries.lockTrees(tx, organizationId)
  const group = await groupQueries.lock(tx, organizationId, id)
  if (!group) throw groupNotFound()
  if (typeof parentId === 'number') {
    const { selectedGroup: faults } = await checkParent(tx, organizationId, id, parentId)
    if (faults) throw invalid({ parent_id: faults })
  }
  const values = {
    id,
    name: name ?? group.name,
    parent_id: parentId === undefined ? group.parent_id : parentId,
    is_open: group.is_open,
  }
  return groupQueries.update(tx, organizationId, values, now)
}

import { changeOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'

/** The devices of the group stay; its subgroups move to its parent. */
export const deleteGroup = endpoint({
  summary: 'Delete a group',
  params: groupPath,
  status: 204,
  failures: [404],
  change: changeOf('group', 'deleted'),
  async handle({ params, caller, record }, { db, now }) {
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      await groupQueries.lockTrees(tx, organizationId)
      const wasThere = await groupQueries.remove(tx, organizationId, params.group_id, now())
      if (!wasThere) throw groupNotFound()
      await record(tx)
    })
  },
})

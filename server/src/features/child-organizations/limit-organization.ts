import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../http/change-record.ts'
import { endpoint } from '../core-services.ts'
import { findChild, setLimits } from './child-queries.ts'
import {
  checkLimits,
  childNotFound,
  childPath,
  childRecord,
  newLimits,
  toChildRecord,
} from './child-record.ts'

export const limitOrganization = endpoint({
  summary: 'Sets limits of an organization directly below this one; what is left out stays',
  description:
    'A limit holds for the organization and for all that is below it. Below what is used, it refuses further additions and deletes nothing.',
  params: childPath,
  body: newLimits,
  answer: z.object({ data: childRecord }),
  failures: [404],
  change: changeBy((done) => ({
    kind: 'organization',
    action: 'limited',
    subject: textOf(done.params.id),
    name: textOf(dataOf(done).name),
    fields: Object.keys(done.body),
  })),
  async handle({ params, body, caller, record }, { db }) {
    const child = await findChild(db, caller.organizationId, params.id)
    if (!child) throw childNotFound()
    checkLimits(child, body)
    const changed = await db.transaction(async (tx) => {
      await setLimits(tx, child.id, body)
      await record(tx, { data: { name: child.name } })
      return findChild(tx, caller.organizationId, child.id)
    })
    if (!changed) throw childNotFound()
    return { data: toChildRecord(changed) }
  },
})

import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { findChild } from './child-queries.ts'
import { childNotFound, childPath, childRecord, toChildRecord } from './child-record.ts'

export const getChildOrganization = endpoint({
  summary: 'An organization directly below this one, with its limits and what it uses of them',
  params: childPath,
  answer: z.object({ data: childRecord }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const child = await findChild(db, caller.organizationId, params.id)
    if (!child) throw childNotFound()
    return { data: toChildRecord(child) }
  },
})

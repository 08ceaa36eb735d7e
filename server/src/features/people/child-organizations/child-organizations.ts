import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { pageQuery, searchText, sortOrder } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { endpoint } from '../../core-services.ts'
import { findChild, listChildren, setLimits } from './child-queries.ts'
import {
  checkLimits,
  childNotFound,
  childPath,
  childRecord,
  newLimits,
  toChildRecord,
} from './child-record.ts'

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

export const listChildOrganizations = endpoint({
  summary: 'The organizations directly below this one, with their limits and what they use of them',
  query: z.object({ ...pageQuery, search: searchText(), sortOrder }),
  answer: paginated(childRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, children } = await listChildren(db, caller.organizationId, {
      page,
      search: query.search ?? '',
      isDescending: query.sortOrder === 'desc',
    })
    return paginatedList(children.map(toChildRecord), total, page, { request, payload: query })
  },
})

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

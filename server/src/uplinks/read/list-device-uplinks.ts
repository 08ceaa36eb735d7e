import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { devicePath, readReference } from '../../features/fleet/inventory/references.ts'
import { notFound } from '../../http/errors.ts'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { listOfDevice } from './uplink-queries.ts'
import { toUplinkRecord, uplinkRecord } from './uplink-record.ts'

export const listDeviceUplinks = endpoint({
  summary: 'Uplinks of one device, newest first',
  params: devicePath,
  query: z.object(pageQuery),
  answer: paginated(uplinkRecord),
  failures: [404],
  async handle({ params, query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const device = readReference(params.device_id)
    const found = await listOfDevice(db, caller.organizationId, device, page)
    if (!found) throw notFound('device not found')
    return paginatedList(found.uplinks.map(toUplinkRecord), found.total, page, {
      request,
      payload: { page: query.page, itemsPerPage: query.itemsPerPage },
    })
  },
})

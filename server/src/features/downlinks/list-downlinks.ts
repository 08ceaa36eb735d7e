import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { downlinkList, partQuery, toDownlinkList, toPart } from './downlink-list.ts'
import { listOfDevice } from './listed-downlink-queries.ts'

export const listDownlinks = endpoint({
  summary: 'The messages to a device and how far each is, newest first',
  params: devicePath,
  query: z.object(partQuery),
  answer: downlinkList,
  failures: [404],
  async handle({ params, query, caller }, { db }) {
    const { organizationId } = caller
    const device = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const list = await listOfDevice(db, organizationId, device.id, toPart(query))
    return toDownlinkList(list, query.limit)
  },
})

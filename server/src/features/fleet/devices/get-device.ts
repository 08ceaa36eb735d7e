import { z } from 'zod'
import { notFound } from '../../../http/errors.ts'
import { queryChoice } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { listGroupsOf } from '../groups/grouped-device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import {
  fullDevice,
  liteRetrievedDevice,
  toFullDevice,
  toLiteRetrievedDevice,
} from './device-record.ts'

export const getDevice = endpoint({
  summary: 'Retrieve a device; `version=lite` selects the lite record',
  params: devicePath,
  query: z.object({ version: queryChoice('version', ['lite']).optional() }),
  answer: z.union([
    z.object({ data: fullDevice }).meta({ title: 'full' }),
    z.object({ data: liteRetrievedDevice }).meta({ title: 'lite' }),
  ]),
  failures: [404],
  async handle({ params, query, caller }, { db, publicUrl }) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    if (query.version !== 'lite') return { data: toFullDevice(device) }
    const groups = await listGroupsOf(db, caller, device.id)
    return { data: toLiteRetrievedDevice(device, groups, publicUrl) }
  },
})

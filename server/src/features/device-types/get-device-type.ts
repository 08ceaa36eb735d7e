import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import * as typeQueries from './device-type-queries.ts'
import {
  customType,
  deviceTypeNotFound,
  deviceTypePath,
  toCustomType,
} from './device-type-record.ts'

export const getDeviceType = endpoint({
  summary: 'Retrieve a device type of your own, with its codec and examples',
  params: deviceTypePath,
  answer: z.object({ data: customType }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const type = await typeQueries.find(db, caller.organizationId, params.id)
    if (!type) throw deviceTypeNotFound()
    return { data: toCustomType(type) }
  },
})

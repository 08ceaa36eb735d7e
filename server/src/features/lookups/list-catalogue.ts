import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { deviceTypes } from '../../sensors/index.ts'
import { endpoint } from '../core-services.ts'
import { listAll } from '../device-types/device-type-queries.ts'
import { catalogueType, toCatalogueType, toOwnCatalogueType } from './catalogue-record.ts'

/** The built-in part does not change while the service runs. */
const builtIn = deviceTypes.map(toCatalogueType)

export const listCatalogue = endpoint({
  summary: 'All device types, built in and your own, with what they send',
  answer: z.object({
    data: z.array(catalogueType),
    ...withExamples({ total: z.int() }, { total: 1 }),
  }),
  async handle({ caller }, { db }) {
    const own = await listAll(db, caller.organizationId)
    const data = [...own.map(toOwnCatalogueType), ...builtIn]
    return { data, total: data.length }
  },
})

import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { pageQuery, queryChoice, queryInteger, sortOrder } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { deviceTypes, fullName } from '../../../sensors/index.ts'
import { endpoint } from '../../core-services.ts'
import { listAll, type TypeSummary } from '../device-types/device-type-queries.ts'
import { toTypeSummary } from '../device-types/device-type-record.ts'

const deviceTypeRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        type_name: z.string(),
        part_number: z.string(),
        full_name: z.string(),
      },
      {
        id: 16,
        type_name: 'LoRa Door/Window',
        part_number: 'RBS301-DWS',
        full_name: 'RBS301-DWS - LoRa Door/Window',
      },
    ),
  )
  .meta({ id: 'DeviceType' })

type DeviceTypeRecord = z.infer<typeof deviceTypeRecord>

const columns = ['id', 'type_name', 'part_number', 'full_name'] as const

/**
 * Lists the built-in types and the organization's own. The catalogue is the same on every network,
 * so `network` is only echoed.
 */
export const listDeviceTypes = endpoint({
  summary: 'Types of devices that can be registered',
  query: z.object({
    ...pageQuery,
    network: queryInteger('network', { min: 1, fallback: 0 }),
    sortBy: queryChoice('sort by', columns).default('id'),
    sortOrder,
  }),
  answer: paginated(deviceTypeRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const own = await listAll(db, caller.organizationId)
    const types = [...deviceTypes.map(toRecord), ...own.map(toOwnRecord)].sort(
      by(query.sortBy, query.sortOrder),
    )
    const start = (page.number - 1) * page.size
    const { itemsPerPage, sortBy, sortOrder } = query
    return paginatedList(types.slice(start, start + page.size), types.length, page, {
      request,
      payload: {
        page: query.page,
        itemsPerPage,
        network: query.network === 0 ? '' : query.network,
        sortBy,
        sortOrder,
      },
    })
  },
})

function toRecord(type: (typeof deviceTypes)[number]): DeviceTypeRecord {
  return {
    id: type.typeId,
    type_name: type.typeName,
    part_number: type.partNumber,
    full_name: fullName(type),
  }
}

function toOwnRecord(type: TypeSummary): DeviceTypeRecord {
  const { id, type_name, part_number, full_name } = toTypeSummary(type)
  return { id, type_name, part_number, full_name }
}

/** Orders by a column, then by id, so that pages never overlap. */
function by(column: (typeof columns)[number], order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1
  return (a: DeviceTypeRecord, b: DeviceTypeRecord) =>
    sign * (compare(a[column], b[column]) || a.id - b.id)
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return a.localeCompare(b, 'en')
}

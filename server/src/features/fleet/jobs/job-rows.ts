import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bomField, type Cell, csvLine, withMark } from '../../../http/csv.ts'
import { queryChoice, queryInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { isObject } from '../batches/batches.ts'
import type { JobKind } from './job-kinds.ts'
import { findJob, type StoredJob } from './job-queries.ts'
import { jobNotFound, jobPath, listEnd, rowRecord, toRowRecord } from './job-record.ts'
import { type ListedRow, listRows, type RowInput, type RowState, rowStates } from './row-queries.ts'

export const listJobRows = endpoint({
  summary: 'What became of each row of a job',
  params: jobPath,
  query: z.object({
    status: queryChoice('status', rowStates).optional(),
    after: queryInteger('after', { min: 0, fallback: 0 }).describe('The number of a row.'),
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
  }),
  answer: z.object({
    data: z.array(rowRecord),
    ...listEnd,
  }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const job = await findJob(db, organizationId, params.job_id)
    if (!job) throw jobNotFound()
    const { status: state, after, limit } = query
    const rows = await listRows(db, organizationId, job.id, { state, after, limit })
    const last = rows.length < limit ? undefined : rows.at(-1)
    return {
      data: rows.map(toRowRecord),
      total: countRows(job, state),
      after: last?.number ?? null,
    }
  },
})

/** From the counts of the job: its rows are not counted for each page. */
function countRows(job: StoredJob, state: RowState | undefined): number {
  const rest = job.total - job.done - job.failed
  const isCancelled = job.state === 'cancelled'
  const counts: Record<RowState, number> = {
    waiting: isCancelled ? 0 : rest,
    done: job.done,
    failed: job.failed,
    cancelled: isCancelled ? rest : 0,
  }
  return state === undefined ? job.total : counts[state]
}

/** The columns of each kind: their headers, and where a row has their values. */
const registerColumns = {
  device_name: (input) => input.deviceName,
  device_id: (input) => input.deviceId,
  join_eui: (input) => provisioningOf(input).joinEui,
  // Never told again: whoever sends the row once more enters it.
  device_key: () => '',
  network: (input) => provisioningOf(input).network,
  register_method: (input) => provisioningOf(input).registerMethod,
  account_name: (input) => provisioningOf(input).accountName,
  device_profile: (input) => provisioningOf(input).deviceProfile,
  device_type: (input) => provisioningOf(input).deviceTypeId,
  gateway_id: (input) => provisioningOf(input).gatewayId,
  app_region: (input) => provisioningOf(input).appRegion,
  frequency_plan: (input) => provisioningOf(input).frequencyPlan,
  console_only: (input) => provisioningOf(input).consoleOnly,
  group_path: (input) => input.group_path,
  notes: (input) => input.notes,
  latitude: (input) => input.latitude,
  longitude: (input) => input.longitude,
  altitude: (input) => input.altitude,
  tags: ({ tags }) => (isObject(tags) && Object.keys(tags).length > 0 ? JSON.stringify(tags) : ''),
} satisfies Columns
const renameColumns = {
  device_id: (input) => input.device_id,
  device_name: (input) => input.device_name,
} satisfies Columns
const takeOverColumns = {
  device_id: (input) => input.device_id,
  device_name: (input) => input.device_name,
  gateway_id: (input) => input.gateway_id,
  gateway_name: (input) => input.gateway_name,
} satisfies Columns
const deviceColumns = { device_id: (input) => input.device_id } satisfies Columns

type Columns = Record<string, (input: RowInput) => unknown>

const columnsOf: Record<JobKind, Columns> = {
  register: registerColumns,
  rename: renameColumns,
  move: deviceColumns,
  configure: deviceColumns,
  delete: deviceColumns,
  change: deviceColumns,
  change_network: deviceColumns,
  take_over: takeOverColumns,
}

function provisioningOf({ provisioningData }: RowInput): Record<string, unknown> {
  return isObject(provisioningData) ? provisioningData : {}
}

/** The line of headers: the columns as they were sent, then the results. */
function csvHeader(kind: JobKind): string {
  return csvLine([...Object.keys(columnsOf[kind]), 'row', 'status', 'message'])
}

function rowLine(kind: JobKind, { input, number, state, message }: ListedRow): string {
  const values = Object.values(columnsOf[kind]).map((read) => toCell(read(input)))
  const row = typeof input.source_row === 'number' ? input.source_row : number
  return csvLine([...values, row, state, message])
}

function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null
  return typeof value === 'number' ? value : String(value)
}

/** Rows of one query, and of one turn of the event loop. */
const chunkSize = 1000

export const exportJobRows = endpoint({
  summary: 'What became of each row of a job, as CSV',
  description:
    'The columns of the rows come first, so that the rows can be fixed and sent again; `device_key` is empty. Then come `row`, `status` and `message`.',
  params: jobPath,
  query: z.object({ status: queryChoice('status', rowStates).optional(), ...bomField }),
  isHeavy: true,
  failures: [404],
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'rows.csv',
    example:
      'device_id,device_name,row,status,message\r\n00AA000000000009,Back door,1,failed,device not found\r\n',
  },
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const job = await findJob(db, organizationId, params.job_id)
    if (!job) throw jobNotFound()
    return withMark(query, csv(db, job, query.status))
  },
})

async function* csv(db: Queryable, job: StoredJob, state: RowState | undefined) {
  yield csvHeader(job.kind)
  for (let after = 0, isMore = true; isMore; ) {
    const range = { state, after, limit: chunkSize }
    const rows = await listRows(db, job.organization_id, job.id, range)
    if (rows.length > 0) yield rows.map((row) => rowLine(job.kind, row)).join('')
    after = rows.at(-1)?.number ?? after
    isMore = rows.length === chunkSize
  }
}

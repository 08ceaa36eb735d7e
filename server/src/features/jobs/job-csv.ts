import { type Cell, csvLine } from '../../http/csv.ts'
import { isObject } from '../batches/batch-request.ts'
import type { JobKind } from './job-kinds.ts'
import type { ListedRow, RowInput } from './row-queries.ts'

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
} satisfies Columns
const renameColumns = {
  device_id: (input) => input.device_id,
  device_name: (input) => input.device_name,
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
}

function provisioningOf({ provisioningData }: RowInput): Record<string, unknown> {
  return isObject(provisioningData) ? provisioningData : {}
}

/** The line of headers: the columns as they were sent, then the results. */
export function csvHeader(kind: JobKind): string {
  return csvLine([...Object.keys(columnsOf[kind]), 'row', 'status', 'message'])
}

export function rowLine(kind: JobKind, { input, number, state, message }: ListedRow): string {
  const values = Object.values(columnsOf[kind]).map((read) => toCell(read(input)))
  const row = typeof input.source_row === 'number' ? input.source_row : number
  return csvLine([...values, row, state, message])
}

function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null
  return typeof value === 'number' ? value : String(value)
}

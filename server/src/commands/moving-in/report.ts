import { writeFile } from 'node:fs/promises'
import { csvLine } from '../../http/csv.ts'
import { countOf } from '../command.ts'
import type { Row } from './plan.ts'
import type { GatewayRow } from './plan-gateways.ts'

/** One row as `--json` and `--report` show it. Keys are in neither. */
export interface ReportedRow {
  /** Of a file, as a spreadsheet shows it; elsewhere from 1 for devices, and from 1 for gateways. */
  row: number
  /** Empty for a gateway, as the further fields of a device are. */
  device_id: string
  device_name: string
  group: string
  profile: string
  device_type: number | null
  action: Row['action'] | GatewayRow['action']
  status: Row['status']
  message: string
  kind: 'device' | 'gateway'
  /** Empty for a device. */
  gateway_eui: string
  gateway_name: string
}

const columns = [
  'row',
  'device_id',
  'device_name',
  'group',
  'profile',
  'device_type',
  'action',
  'status',
  'message',
  'kind',
  'gateway_eui',
  'gateway_name',
] as const satisfies (keyof ReportedRow)[]

const noDevice = { device_id: '', device_name: '', group: '', profile: '', device_type: null }
const noGateway = { gateway_eui: '', gateway_name: '' }

export function toReported({ number, device, typeId, ...row }: Row): ReportedRow {
  return {
    row: number,
    device_id: device.eui,
    device_name: device.name,
    group: device.group.join(' / '),
    profile: device.profile ?? '',
    device_type: typeId ?? null,
    action: row.action,
    status: row.status,
    message: row.message,
    kind: 'device',
    ...noGateway,
  }
}

export function toReportedGateway({ number, gateway, ...row }: GatewayRow): ReportedRow {
  return {
    row: number,
    ...noDevice,
    action: row.action,
    status: row.status,
    message: row.message,
    kind: 'gateway',
    gateway_eui: gateway.eui,
    gateway_name: gateway.name,
  }
}

export async function writeReport(path: string, rows: readonly ReportedRow[]): Promise<void> {
  const lines = rows.map((row) => csvLine(columns.map((column) => row[column])))
  await writeFile(path, csvLine(columns) + lines.join(''))
}

/** Lines of a table for people. */
export function* describeRows(rows: readonly ReportedRow[]): Generator<string> {
  const shown = rows.map((row) =>
    row.kind === 'device'
      ? [`${row.row}`, row.device_id, row.device_name, row.group, row.message]
      : [`${row.row}`, row.gateway_eui, row.gateway_name, '(gateway)', row.message],
  )
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(0, ...shown.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of shown) {
    yield row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  }
}

export interface Totals {
  rows: number
  done: number
  planned: number
  unchanged: number
  failed: number
}

export function sumUp(rows: readonly Pick<ReportedRow, 'status' | 'action'>[]): Totals {
  const count = (is: (row: Pick<ReportedRow, 'status' | 'action'>) => boolean) =>
    rows.filter(is).length
  return {
    rows: rows.length,
    done: count(({ status, action }) => status === 'done' && action !== 'none'),
    planned: count(({ status }) => status === 'planned'),
    unchanged: count(({ status, action }) => status === 'done' && action === 'none'),
    failed: count(({ status }) => status === 'failed'),
  }
}

/** `what`: a row, as `device`. */
export function describeTotals(
  what: string,
  { rows, done, planned, unchanged, failed }: Totals,
): string {
  const parts = [
    ...(done > 0 ? [`${done} done`] : []),
    ...(planned > 0 ? [`${planned} would be done`] : []),
    ...(unchanged > 0 ? [`${unchanged} already here`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  return `${countOf(rows, what)}: ${parts.join(', ') || 'nothing to do'}.`
}

import type { Table } from '../../../../../server/src/lora/device-file/read-table.ts'
import { t } from '../../../languages/text.ts'
import { type ApiRow, convertRow, type ImportRules } from './convert-row.ts'

export interface FaultyRow {
  /** As a spreadsheet shows it. */
  number: number
  device: string
  faults: string[]
}

export interface CheckResult {
  faulty: number
  /** Rows without a device key. */
  keyless: number
  /** The first of them. */
  rows: FaultyRow[]
}

const mostShown = 100

/** Checks all rows as far as the browser can: digits, names, and EUIs that come twice. */
export function checkRows({ rows }: Table, rules: ImportRules): CheckResult {
  const seen = new Map<string, number>()
  const result: CheckResult = { faulty: 0, keyless: 0, rows: [] }
  for (const { number, cells } of rows) {
    const { row, faults } = convertRow(cells, rules)
    const earlier = seen.get(row.deviceId)
    if (earlier !== undefined) faults.push(t('Row {earlier} has the same DevEUI.', { earlier }))
    else if (isEui(row.deviceId)) seen.set(row.deviceId, number)
    if (faults.length === 0) continue
    result.faulty += 1
    if (row.provisioningData.deviceKey === '') result.keyless += 1
    if (result.rows.length < mostShown) result.rows.push({ number, device: row.deviceId, faults })
  }
  return result
}

/** What is no EUI may stand in many rows, such as a number that a spreadsheet made of it. */
function isEui(text: string): boolean {
  return /^[0-9A-F]{16}$/.test(text)
}

export function convertRows(
  { rows }: Table,
  rules: ImportRules,
  range: { first: number; count: number },
): ApiRow[] {
  return rows
    .slice(range.first - 1, range.first - 1 + range.count)
    .map(({ number, cells }) => ({ ...convertRow(cells, rules).row, source_row: number }))
}

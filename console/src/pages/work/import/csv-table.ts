import Papa from 'papaparse'
import { plainHex } from '../label/hex.ts'
import { type ApiRow, convertRow, type ImportRules } from './convert-row.ts'

/** The rows of a file, without its headers. */
export interface CsvTable {
  headers: string[]
  rows: string[][]
}

/** Reads CSV with commas, semicolons or tabs, with or without headers, in UTF-8 or Windows-1252. */
export function readCsv(bytes: ArrayBuffer): CsvTable {
  const text = decode(bytes).replace(/^\ufeff/, '')
  const { data } = Papa.parse<string[]>(text, {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  const [first = [], ...others] = data
  const width = Math.max(0, ...data.slice(0, 1000).map((row) => row.length))
  // A first row with an EUI is a device.
  const isHeaderless = first.some((cell) => /^[0-9A-F]{16}$/.test(plainHex(cell)))
  const names = isHeaderless ? [] : first
  const headers = Array.from({ length: width }, (_, index) => {
    return names[index]?.trim() || `Column ${index + 1}`
  })
  return { headers, rows: isHeaderless ? data : others }
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

export interface FaultyRow {
  /** From 1. */
  number: number
  device: string
  faults: string[]
}

export interface CheckResult {
  faulty: number
  /** The first of them. */
  rows: FaultyRow[]
}

const mostShown = 100

/** Checks all rows as far as the browser can: digits, names, and EUIs that come twice. */
export function checkRows({ rows }: CsvTable, rules: ImportRules): CheckResult {
  const seen = new Map<string, number>()
  const result: CheckResult = { faulty: 0, rows: [] }
  for (const [index, cells] of rows.entries()) {
    const number = index + 1
    const { row, faults } = convertRow(cells, rules)
    const earlier = seen.get(row.deviceId)
    if (row.deviceId === '') faults.push('The row names no device.')
    else if (earlier !== undefined) faults.push(`Row ${earlier} has the same device EUI.`)
    else seen.set(row.deviceId, number)
    if (faults.length === 0) continue
    result.faulty += 1
    if (result.rows.length < mostShown) result.rows.push({ number, device: row.deviceId, faults })
  }
  return result
}

export function convertRows(
  { rows }: CsvTable,
  rules: ImportRules,
  range: { first: number; count: number },
): ApiRow[] {
  return rows
    .slice(range.first - 1, range.first - 1 + range.count)
    .map((cells) => convertRow(cells, rules).row)
}

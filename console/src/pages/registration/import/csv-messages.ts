import type { ApiRow, ImportRules } from './convert-row.ts'
import type { CheckResult } from './csv-table.ts'

/** The page's requests to the worker. The tag marks our messages, unlike those of libraries. */
export type CsvRequest = { tag: 'import'; id: number } & (
  | { ask: 'open'; file: File }
  | { ask: 'check'; rules: ImportRules }
  | { ask: 'rows'; rules: ImportRules; first: number; count: number }
)

export interface OpenedFile {
  headers: string[]
  total: number
  /** The first rows as they stand. */
  preview: string[][]
}

export type CsvAnswer = { tag: 'import'; id: number } & (
  | { opened: OpenedFile }
  | { checked: CheckResult }
  | { rows: ApiRow[] }
  | { failure: string }
)

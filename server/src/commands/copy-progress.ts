import type { Manifest } from '../db/backup/manifest.ts'
import type { Progress } from '../db/backup/write-backup.ts'

/** Milliseconds between two lines. */
const pause = 2000

/** Tells the progress of a copy, at most one line in two seconds. */
export function tellProgress(say: (line: string) => void): Progress {
  let toldAt = performance.now()
  return (table, rows) => {
    if (performance.now() - toldAt < pause) return
    toldAt = performance.now()
    say(`  ${table}: ${rows.toLocaleString('en-US')} rows so far`)
  }
}

export function countsOf({ tables }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows.toLocaleString('en-US')} rows of ${tables.length} tables`
}

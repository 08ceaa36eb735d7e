import type { Database } from '../server/src/db/connect.ts'
import type { Helper } from './process.ts'
import type { Service } from './service.ts'
import type { Settings } from './settings.ts'

/** What a measure may use. */
export interface Bench {
  settings: Settings
  databaseUrl: string
  dataDir: string
  /** For filling and checking; its time is not measured. */
  db: Database
  service: Service
  generator: Helper
  /** Prints a line about the progress. */
  progress(text: string): void
}

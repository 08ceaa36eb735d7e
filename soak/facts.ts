import type { Ledger } from './ledger.ts'
import type { SoakPlan } from './plan.ts'
import type { Sample } from './samples.ts'

/** What the checker compares: the ledger, what is stored at the end, and the samples. */
export interface Facts {
  plan: SoakPlan
  ledger: Ledger
  /** In days since the begin of the run. */
  endDay: number
  /** From this day on, nothing is restarted and the caches are filled. */
  steadyDay: number
  /** How far the senders were behind at most, in days. */
  behind: number
  hops: readonly number[]
  /** Of the organization. */
  counter: { uplinks: number; firstOrdinal: number }
  stored: StoredUplinks
  downlinks: readonly StoredDownlink[]
  /** The ids of all entries in the history of downlinks. */
  history: readonly number[]
  /** What the simulated network has transmitted, by DevEUI. */
  transmitted: ReadonlyMap<string, number>
  registered: readonly string[]
  joins: number
  alerts: { open: number; closed: number }
  /** What still waits after everything was given time. */
  waiting: readonly string[]
  samples: readonly Sample[]
  /** Webhooks that were disabled, and resumed by a person. */
  resumed: number
  /** How often people got what they asked for, and what they got instead. */
  answered: number
  failures: readonly string[]
  logLines: number
  /** Lines of the log with the level of an error. */
  errors: readonly string[]
}

export interface StoredUplinks {
  /** By the number of an uplink: its ordinal; 0 where it is not stored. */
  ordinals: Uint32Array
  /** Uplinks that are stored more than once. */
  twice: readonly number[]
  rows: number
}

export interface StoredDownlink {
  id: number
  eui: string
  bytes: string
  state: string
  error: string | null
  /** How often it was handed over to the network, or tried to be. */
  attempts: number
}

import type { FaultKind, Operation } from './plan.ts'

/** What a client knows of something that it did. */
export type Outcome =
  /** A 2xx: it is done, and stays done. */
  | 'done'
  /** A 4xx: it is not done. */
  | 'refused'
  /** Another answer or none: it may be done, also later. */
  | 'unknown'

/** One request of a client, in milliseconds since the beginning of the run. */
export interface Entry {
  client: string
  organization: number
  operation: Operation | 'publish' | 'look'
  /** What it is about: a DevEUI, `group 3`, `webhook 4`. */
  subject: string
  /** What is written, or what was read: a key, bytes, a name; null if there is nothing. */
  value: string | number | null
  process: number
  begin: number
  end: number
  outcome: Outcome
  /** Of HTTP; 0 without an answer. */
  status: number
  /** Data of another organization in the answer. */
  leak?: string
}

/** A fault and how the service got over it. */
export interface Episode {
  kind: FaultKind
  /** What it hit. */
  target: string
  begin: number
  /** When it was taken back. */
  end: number
  /** When every process did everything again; undefined if that took too long. */
  recovered: number | undefined
}

/** Within this many milliseconds after a fault, every process does everything again. */
export const recoveryLimit = 20_000

export interface History {
  entries: Entry[]
  episodes: Episode[]
}

export function describeEntry(entry: Entry): string {
  const { client, operation, subject, value, process, begin, end, outcome, status } = entry
  const times = `${seconds(begin)} to ${seconds(end)}`
  return `${times}  ${client} at process ${process}: ${operation} ${subject} ${value ?? ''} ${outcome} (${status})`
}

export function describeEpisode({ kind, target, begin, end, recovered }: Episode): string {
  const after =
    recovered === undefined ? 'not recovered' : `recovered after ${seconds(recovered - end)}`
  return `${seconds(begin)} to ${seconds(end)}  FAULT ${kind}: ${target}; ${after}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

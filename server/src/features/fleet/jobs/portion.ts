import type { Queryable } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { DownlinkServices } from '../../downlinks/downlink-services.ts'
import type { RegistrationServices } from '../devices/registration.ts'
import type { StoredJob } from './job-queries.ts'
import type { WaitingRow } from './row-queries.ts'

/** What all kinds of jobs share while a portion of rows is worked. */

export interface JobServices extends RegistrationServices, DownlinkServices {}

/** A portion of a job, in the name of who gave it, with the rights of now. */
export interface Portion {
  job: StoredJob
  sender: Pick<Caller, 'organizationId' | 'userId' | 'permissions'>
  now: Date
}

/** What became of one row. */
export interface RowResult {
  /** `waiting` where a later portion works it. */
  state: 'done' | 'failed' | 'waiting'
  message: string
  deviceId: number | null
}

/**
 * Works the rows of a portion in the transaction that stores their results, and returns these in the
 * order of the rows. With `is_dry_run` it writes nothing.
 */
export type WorkRows = (
  tx: Queryable,
  services: JobServices,
  portion: Portion,
  rows: readonly WaitingRow[],
) => Promise<RowResult[]>

export const deviceNotFound = 'device not found'
export const badCharacter = 'The row contains a character that is not allowed.'

export function done(message: string, deviceId: number | null = null): RowResult {
  return { state: 'done', message, deviceId }
}

export function failed(message: string, deviceId: number | null = null): RowResult {
  return { state: 'failed', message, deviceId }
}

export const waiting: RowResult = { state: 'waiting', message: '', deviceId: null }

export function openSecret(
  { sealer }: Pick<JobServices, 'sealer'>,
  jobId: number,
  { number, sealed_secret: sealed }: Pick<WaitingRow, 'number' | 'sealed_secret'>,
): string | undefined {
  return sealed === null ? undefined : sealer.open(sealed, sealContext('jobSecret', jobId, number))
}

import { ApiError, call } from '../../../api/client.ts'
import type { Schemas } from '../../../api/generated.ts'
import type { Job } from '../../../jobs/use-jobs.ts'
import type { ImportRules } from './convert-row.ts'
import type { CsvFile } from './csv-file.ts'

/** Rows of one request: the API takes 32,000 named values in a body. */
const usualPortion = 1500
/** Seconds before the next try, at most. */
const longestPause = 30

interface Sending {
  file: CsvFile
  rules: ImportRules
  isDryRun: boolean
  createsGroups: boolean
  /** A job whose transfer was interrupted, to go on with. */
  resumed: number | undefined
  signal: AbortSignal
  /** Reports how many rows are there, and why it waits, if it does. */
  tell: (sent: number, trouble: string | undefined) => void
}

/**
 * Sends all rows of a file as one job, in portions. A lost connection is waited for: each portion
 * names its first row, so that nothing is sent twice. Returns the id of the job.
 */
export async function sendRows(sending: Sending): Promise<number> {
  const { file, resumed } = sending
  let job = resumed === undefined ? undefined : await readJob(resumed)
  let portion = usualPortion
  while (job === undefined || job.total < file.total) {
    sending.tell(job?.total ?? 0, undefined)
    const first = (job?.total ?? 0) + 1
    const result: Job | 'too large' = await keepTrying(sending, job?.total ?? 0, () =>
      sendPortion(sending, job, first, portion),
    )
    if (result !== 'too large') job = result
    else portion = Math.max(1, Math.floor(portion / 2))
  }
  // All rows were there already: the job waits for its beginning.
  if (job.state === 'receiving') {
    await call('POST /jobs/{job_id}/start', { path: { job_id: String(job.id) } })
  }
  return job.id
}

async function readJob(id: number): Promise<Job> {
  const { data } = await call('GET /jobs/{job_id}', { path: { job_id: String(id) } })
  return data
}

async function sendPortion(
  { file, rules, isDryRun, createsGroups, signal }: Sending,
  job: Job | undefined,
  first: number,
  count: number,
): Promise<Job | 'too large'> {
  // The service refuses each row with faults by itself, and shows it so that it can be fixed.
  const rows = (await file.rows(rules, first, count)) as Schemas['JobItem'][]
  const more = first - 1 + rows.length < file.total
  try {
    if (job) {
      const path = { job_id: String(job.id) }
      const { data } = await call(
        'POST /jobs/{job_id}/rows',
        { path, body: { first, rows, more } },
        { signal },
      )
      return data
    }
    const settings = { dry_run: isDryRun, create_groups: createsGroups }
    const { data } = await call(
      'POST /jobs',
      { body: { kind: 'register', title: file.name.slice(0, 255), ...settings, rows, more } },
      { signal },
    )
    return data
  } catch (error) {
    if (error instanceof ApiError && error.status === 413 && count > 1) return 'too large'
    throw error
  }
}

/** Tries again what may succeed later, with growing pauses. */
async function keepTrying<T>(
  { signal, tell }: Sending,
  sent: number,
  send: () => Promise<T>,
): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      const passes = error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
      if (!passes) throw error
      tell(sent, error.message)
      await wait((error.retryAfter ?? pause) * 1000, signal)
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

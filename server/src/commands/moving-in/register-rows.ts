import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyJoinEui } from '../../networks/forms.ts'
import type { ServiceApi } from '../service-api.ts'
import type { Row } from './plan.ts'
import type { Progress } from './progress.ts'
import type { DevicePlace } from './source-device.ts'

/** Rows of one request; the whole is one job. */
const perRequest = 2000
const pollMilliseconds = 300

interface Job {
  id: number
  state: string
  message: string | null
  total: number
  done: number
  failed: number
}

export interface Registering {
  title: string
  isDryRun: boolean
  /** Of rows whose source names no place. */
  place: DevicePlace
  signal: AbortSignal
  progress: Progress
}

/**
 * Registers devices by a job of the service. Ctrl-C cancels what the job has not begun; what is done
 * stays.
 */
export async function registerRows(
  service: ServiceApi,
  rows: readonly Row[],
  details: Registering,
): Promise<void> {
  if (rows.length === 0) return
  const job = await sendRows(service, rows, details)
  const over = await waitFor(service, job, details)
  const results = await readResults(service, over.id)
  for (const [index, row] of rows.entries()) {
    const result = results[index]
    const isDone = result?.status === 'done'
    row.status = isDone ? (details.isDryRun ? 'planned' : 'done') : 'failed'
    const words = result?.message ?? over.message ?? 'Not begun.'
    if (!isDone || !details.isDryRun) row.message = words
  }
}

async function sendRows(
  service: ServiceApi,
  rows: readonly Row[],
  { title, isDryRun, place }: Registering,
): Promise<Job> {
  const parts = Array.from({ length: Math.ceil(rows.length / perRequest) }, (_, index) =>
    rows.slice(index * perRequest, (index + 1) * perRequest).map((row) => toRequest(row, place)),
  )
  const [first = [], ...others] = parts
  const body = { kind: 'register', title, dry_run: isDryRun, rows: first, more: parts.length > 1 }
  let { data: job } = await service.call('POST', '/jobs', { body, idempotencyKey: randomUUID() })
  for (const [index, part] of others.entries()) {
    const next = {
      first: (index + 1) * perRequest + 1,
      rows: part,
      more: index + 1 < others.length,
    }
    job = (await service.call('POST', `/jobs/${job.id}/rows`, { body: next })).data
  }
  return job
}

function toRequest({ device, typeId, action }: Row, place: DevicePlace) {
  return {
    deviceName: device.name,
    deviceId: device.eui,
    provisioningData: {
      registerMethod: 'user_account',
      ...place,
      ...device.place,
      ...(action === 'record' && { consoleOnly: true }),
      deviceKey: device.key,
      deviceTypeId: typeId,
      joinEui: device.joinEui ?? anyJoinEui,
    },
    ...(device.row !== undefined && { source_row: device.row }),
    ...(device.notes !== undefined && { notes: device.notes }),
    ...(Object.keys(device.tags).length > 0 && { tags: device.tags }),
    ...device.position,
  }
}

async function waitFor(service: ServiceApi, sent: Job, details: Registering): Promise<Job> {
  const { signal, progress, isDryRun } = details
  let job = sent
  try {
    while (job.state !== 'done' && job.state !== 'cancelled') {
      await sleep(pollMilliseconds, undefined, { signal })
      job = (await service.call('GET', `/jobs/${job.id}`)).data
      progress.count(isDryRun ? 'checked' : 'registered', job.done + job.failed, job.total)
    }
    return job
  } catch (error) {
    const path = `/jobs/${job.id}`
    if (signal.aborted) await service.call('DELETE', path, { isLast: true }).catch(() => {})
    throw error
  }
}

interface Result {
  status: string
  message: string | null
}

async function readResults(service: ServiceApi, id: number): Promise<Result[]> {
  const results: Result[] = []
  let after: number | null = 0
  while (after !== null) {
    const path: string = `/jobs/${id}/rows?limit=1000&after=${after}`
    const page: { data: Result[]; after: number | null } = await service.call('GET', path)
    results.push(...page.data)
    after = page.after
  }
  return results
}

import { z } from 'zod'
import { bodyLimits, type Caller, type RecordChange } from '../../../http/endpoint.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { queryInteger, requiredInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { toDeviceFilter } from '../inventory/device-filter.ts'
import { selectDevices } from '../inventory/device-selection-queries.ts'
import { devicesField, jobBody, moreField, readRows, readSettings, rowsField } from './job-body.ts'
import { type JobKind, mustBeAllowed } from './job-kinds.ts'
import {
  countJobs,
  endJob,
  findJob,
  insertJob,
  listJobs as list,
  lockJob,
  queueJob,
  type StoredJob,
} from './job-queries.ts'
import { jobChange, jobNotFound, jobPath, jobRecord, listEnd, toJobRecord } from './job-record.ts'
import { announceJob, type JobServicesWithRunner } from './job-runner.ts'
import { cancelRows, resetRows } from './row-queries.ts'
import { checkRoom, readJob, takeRows } from './take-rows.ts'

export const listJobs = endpoint({
  summary: 'Jobs of the last 30 days, newest first',
  query: z.object({
    after: queryInteger('after', { min: 1, fallback: 0 }).describe(
      'The `after` of the answer before: the further ones.',
    ),
    limit: queryInteger('limit', { min: 1, max: 100, fallback: 25 }),
  }),
  answer: z.object({
    data: z.array(jobRecord),
    ...listEnd,
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const before = query.after === 0 ? undefined : query.after
    const jobs = await list(db, organizationId, { before, limit: query.limit })
    const total = await countJobs(db, organizationId)
    const last = jobs.length < query.limit ? undefined : jobs.at(-1)
    return { data: jobs.map(toJobRecord), total, after: last?.id ?? null }
  },
})

export const getJob = endpoint({
  summary: 'A job, and how far it is',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const job = await findJob(db, caller.organizationId, params.job_id)
    if (!job) throw jobNotFound()
    return { data: toJobRecord(job) }
  },
})

interface SentJob {
  kind: JobKind
  title: string | null
  settings: Record<string, unknown>
  isDryRun: boolean
  rows: readonly unknown[]
  /** Further rows follow in other requests. */
  more: boolean
  record: RecordChange
}

/** Stores a job with its rows, and begins it when all of them are there. */
export async function beginJob(
  services: JobServicesWithRunner,
  { organizationId, userId }: Caller,
  { rows, more, record, ...sent }: SentJob,
): Promise<StoredJob> {
  const job = await services.db.transaction(async (tx) => {
    await checkRoom(tx, organizationId, { jobs: 1, rows: rows.length })
    const id = await insertJob(tx, organizationId, { ...sent, userId, now: services.now() })
    await takeRows(tx, services, organizationId, { id, kind: sent.kind, total: 0 }, { rows, more })
    const begun = await readJob(tx, organizationId, id)
    await record(tx, { data: toJobRecord(begun) })
    return begun
  })
  services.jobRunner.wake()
  announceJob(services, job)
  return job
}

const registration = {
  deviceName: 'Back door',
  deviceId: '00AA000000000002',
  provisioningData: {
    network: 'chirpstack',
    registerMethod: 'user_account',
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    deviceTypeId: 16,
    joinEui: '0000000000000000',
  },
  group_path: 'Building A / Floor 2',
}

export const createJob = endpoint({
  summary: 'Do something with up to 100,000 devices in the background; one result per row',
  description: `The answer comes at once. \`GET /jobs/{job_id}\` shows how far it is, and \`GET /jobs/{job_id}/rows\` what became of each row: a bad row affects no other. With \`dry_run\` the results say what would happen, and nothing is changed; \`POST /jobs/{job_id}/start\` then does it.

A body takes some thousand rows: with \`more\`, send the further ones to \`POST /jobs/{job_id}/rows\`. Nothing begins before the last ones are there.

Every kind takes the permission \`manage_devices\`; \`move\`, and groups of \`register\`, take \`manage_groups\` as well. An organization has up to 10 jobs under way at a time. Jobs are kept for 30 days.`,
  bodyLimit: bodyLimits.batch,
  body: jobBody,
  status: 202,
  answer: z.object({ data: jobRecord }),
  failures: [409],
  examples: [
    {
      name: 'register',
      body: { kind: 'register', title: 'doors.csv', create_groups: true, rows: [registration] },
    },
    {
      name: 'rename',
      body: {
        kind: 'rename',
        dry_run: true,
        rows: [{ device_id: '00AA000000000001', device_name: 'Front door' }],
      },
    },
    {
      name: 'move',
      body: { kind: 'move', mode: 'add', groups: [12], devices: ['00AA000000000001'] },
    },
    {
      name: 'move all that a filter finds',
      body: { kind: 'move', mode: 'replace', groups: [12], filter: { type: 16, group: 3 } },
    },
    {
      name: 'configure',
      body: {
        kind: 'configure',
        config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
        devices: ['00AA000000000001'],
      },
    },
  ],
  change: jobChange('started'),
  async handle({ body, caller, record }, services: JobServicesWithRunner) {
    mustBeAllowed(body.kind, caller)
    const settings = readSettings(body)
    const devices = await selectRows(services, caller.organizationId, body)
    const rows = readRows(body.kind, { ...body, devices })
    const { kind, title = null, dry_run, more } = body
    const flags = { isDryRun: dry_run ?? false, more: more ?? false }
    const job = await beginJob(services, caller, { kind, title, settings, rows, record, ...flags })
    return { data: toJobRecord(job) }
  },
})

/** The devices that are listed, or that the filter finds. */
async function selectRows(
  { db, now }: JobServicesWithRunner,
  organizationId: number,
  { devices, filter }: z.infer<typeof jobBody>,
): Promise<unknown[] | undefined> {
  if (!filter) return devices
  if (devices) throw invalid({ filter: ['Send devices or a filter, not both.'] })
  const selection = await toDeviceFilter(db, organizationId, filter, now())
  const found = await selectDevices(db, organizationId, selection)
  if (found.length === 0) throw invalid({ filter: ['No device matches.'] })
  return found.map(({ device_eui }) => device_eui)
}

export const startJob = endpoint({
  summary: 'Do what a dry run has shown, or begin with the rows that were sent so far',
  description:
    'The rows of a dry run are not sent again: all of them are worked, and have new results. A job that is running already continues.',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  change: jobChange('started'),
  async handle({ params, caller, record }, services: JobServicesWithRunner) {
    const { organizationId } = caller
    const job = await services.db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      const isShown = found.state === 'done' && found.is_dry_run
      if (found.state === 'queued' || found.state === 'running') return found
      if (found.state !== 'receiving' && !isShown) throw conflict('The job is over.')
      if (found.total === 0) throw conflict('The job has no rows yet.')
      await checkRoom(tx, organizationId, {
        jobs: isShown ? 1 : 0,
        rows: isShown ? found.total : 0,
      })
      if (isShown) await resetRows(tx, found.id)
      await queueJob(tx, found.id)
      const started = await readJob(tx, organizationId, found.id)
      await record(tx, { data: toJobRecord(started) })
      return started
    })
    services.jobRunner.wake()
    announceJob(services, job)
    return { data: toJobRecord(job) }
  },
})

export const cancelJob = endpoint({
  summary: 'Cancel what a job has not begun',
  description: 'Rows that are done stay done. A job that is over stays as it is.',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404],
  change: jobChange('cancelled'),
  async handle({ params, caller, record }, { db, now, signals }) {
    const { organizationId } = caller
    const job = await db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      if (found.state === 'done' || found.state === 'cancelled') return found
      await cancelRows(tx, found.id)
      const message = 'It was cancelled by a member.'
      await endJob(tx, found.id, { state: 'cancelled', message, now: now() })
      const cancelled = await readJob(tx, organizationId, found.id)
      await record(tx, { data: toJobRecord(cancelled) })
      return cancelled
    })
    announceJob({ signals }, job)
    return { data: toJobRecord(job) }
  },
})

export const appendRows = endpoint({
  summary: 'Send further rows of a job that was made with `more`',
  description:
    '`first` is the number of the first row in the body, from 1. Rows that are there already are left out, so that a request whose answer was lost is sent again as it is; `total` of the job says where to go on.',
  params: jobPath,
  bodyLimit: bodyLimits.batch,
  body: z.object({
    first: requiredInteger('first').min(1, 'The first must be at least 1.'),
    rows: rowsField,
    devices: devicesField,
    more: moreField,
  }),
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  examples: [
    {
      name: 'the last rows',
      body: { first: 2001, rows: [{ device_id: '00AA000000000001', device_name: 'Front door' }] },
    },
  ],
  change: 'untold',
  async handle({ params, body, caller }, services: JobServicesWithRunner) {
    const { organizationId } = caller
    const job = await services.db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      const rows = readRows(found.kind, body)
      const known = found.total - (body.first - 1)
      if (known < 0) throw conflict(`The rows from ${found.total + 1} on are missing.`)
      if (found.state !== 'receiving') {
        if (rows.length > known) throw conflict('The job takes no more rows.')
        return found
      }
      const added = rows.slice(known)
      await checkRoom(tx, organizationId, { jobs: 0, rows: added.length })
      const sent = { rows: added, more: body.more ?? false }
      await takeRows(tx, services, organizationId, found, sent)
      return readJob(tx, organizationId, found.id)
    })
    services.jobRunner.wake()
    announceJob(services, job)
    return { data: toJobRecord(job) }
  },
})

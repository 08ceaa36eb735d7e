import { z } from 'zod'
import { bodyLimits } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { toDeviceFilter } from '../inventory/device-filter.ts'
import { selectDevices } from '../inventory/device-selection-queries.ts'
import { beginJob } from './begin-job.ts'
import { jobBody, readRows, readSettings } from './job-body.ts'
import { mustBeAllowed } from './job-kinds.ts'
import { jobChange, jobRecord, toJobRecord } from './job-record.ts'
import type { JobServicesWithRunner } from './job-runner.ts'

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
  const found = await selectDevices(db, organizationId, toDeviceFilter(filter, now()))
  if (found.length === 0) throw invalid({ filter: ['No device matches.'] })
  return found.map(({ device_eui }) => device_eui)
}

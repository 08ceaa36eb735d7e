import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { optionalBoolean, optionalText, requiredInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { groupNotFound, groupPath } from '../groups/group-record.ts'
import { deviceFilterBody, toDeviceFilter } from '../inventory/device-filter.ts'
import { selectDevices } from '../inventory/device-selection-queries.ts'
import { kindSettings } from './job-kinds.ts'
import { jobChange, jobRecord, toJobRecord } from './job-record.ts'
import type { JobServicesWithRunner } from './job-runner.ts'
import { beginJob } from './jobs.ts'

/** A job of the kind `configure`, whose rows are the devices of a group at this moment. */
export const configureGroup = endpoint({
  summary: 'Send one configuration to all devices in a group and below it',
  description:
    'The answer comes at once with a job: `GET /jobs/{job_id}` shows how far it is, and `GET /jobs/{job_id}/rows` what became of each device, with the words of `POST /devices/{device_id}/configure` where one does not take the configuration. The devices are those of this moment, and each is encoded for by its own type. With `dry_run` the results say what would happen, and `POST /jobs/{job_id}/start` then does it. It goes on after a restart, and queues no message twice; with `Idempotency-Key` a repeated request gets the job of the first.',
  params: groupPath,
  body: z.object({
    ...kindSettings.configure.shape,
    device_type: requiredInteger('device type')
      .nullish()
      .describe('Only devices of this type; left out: all, whose results tell which took it.'),
    title: optionalText('title').describe('Of the job; the name of the group if left out.'),
    dry_run: optionalBoolean('dry run'),
  }),
  status: 202,
  examples: [
    {
      name: 'supervisory period',
      body: { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } },
    },
    {
      name: 'all door sensors, tried first',
      body: {
        device_type: 16,
        dry_run: true,
        config_field: { islorawan: 1, config_type: 'sensor', 301: { group: 2 } },
      },
    },
  ],
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  change: jobChange('started'),
  async handle({ params, body, caller, record }, services: JobServicesWithRunner) {
    const { db } = services
    const { organizationId } = caller
    const { config_field, device_type: type, title, dry_run: isDryRun } = body
    const group = await groupQueries.find(db, organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const query = deviceFilterBody.parse({ group: String(group.id) })
    const all = await toDeviceFilter(db, organizationId, query, services.now())
    const filter = { ...all, type: type ?? undefined }
    const devices = await selectDevices(db, organizationId, filter)
    if (devices.length === 0) {
      const what = filter.type === undefined ? 'device' : 'device of this type'
      throw invalid({ group: [`No ${what} is in the group or below it.`] })
    }
    const job = await beginJob(services, caller, {
      kind: 'configure',
      title: title ?? group.name,
      settings: { config_field },
      isDryRun: isDryRun ?? false,
      more: false,
      rows: devices.map(({ device_eui }) => device_eui),
      record,
    })
    return { data: toJobRecord(job) }
  },
})

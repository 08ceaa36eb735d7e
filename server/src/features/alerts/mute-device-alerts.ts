import { changeOf } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import * as deviceQueries from './device-alert-queries.ts'
import { muteBody, readUntil } from './mute-body.ts'
import { deviceAlertsAnswer, readDeviceAlerts } from './show-device-alerts.ts'

export const muteDeviceAlerts = endpoint({
  summary: 'Tell nobody of a device until a time',
  description:
    'Its alerts open and close as usual. Those that are still open at the end of the mute are told then.',
  params: devicePath,
  body: muteBody,
  answer: deviceAlertsAnswer,
  failures: [404],
  change: changeOf('device', 'muted'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId, userId } = caller
    const until = readUntil(body, now())
    const device = await deviceQueries.findDevice(
      db,
      organizationId,
      readReference(params.device_id),
    )
    if (!device) throw notFound('device not found')
    await db.transaction(async (tx) => {
      await deviceQueries.mute(tx, organizationId, { device: device.id, until, userId })
      await record(tx)
    })
    const muted = { ...device, muted_until: until === null ? null : momentOf(until) }
    return { data: await readDeviceAlerts({ db, now }, organizationId, muted) }
  },
})

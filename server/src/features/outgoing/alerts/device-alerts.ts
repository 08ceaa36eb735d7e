import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { devicePath, readReference } from '../../fleet/inventory/references.ts'
import * as alertQueries from './alert-queries.ts'
import * as deviceQueries from './alert-queries.ts'
import { alertRecord, timeOrNull, toAlertRecord } from './alert-record.ts'
import { muteBody, readUntil } from './rule-body.ts'
import { listLimits } from './rule-queries.ts'

const shownAlerts = 20

const deviceAlerts = z
  .object({
    ...withExamples(
      {
        muted_until: z
          .string()
          .nullable()
          .describe('No mail or webhook about the device is sent before.'),
        interval_seconds: z
          .number()
          .nullable()
          .describe(
            'How often it sends, as a rule about silence has learnt it; null until it had to.',
          ),
      },
      { muted_until: null, interval_seconds: 3600 },
    ),
    alerts: z.array(alertRecord).describe(`The latest ${shownAlerts}, newest first.`),
    limits: z
      .array(
        z
          .object(
            withExamples(
              {
                rule_id: z.int(),
                rule_name: z.string(),
                key: z.string().describe('The measurement.'),
                above: z.number().nullable(),
                below: z.number().nullable(),
              },
              { rule_id: 3, rule_name: 'Cold store', key: 'temperature', above: 8, below: null },
            ),
          )
          .meta({ id: 'DeviceLimit' }),
      )
      .describe('The levels of the alert rules that are about the device.'),
  })
  .meta({ id: 'DeviceAlerts' })

const deviceAlertsAnswer = z.object({ data: deviceAlerts })

export const showDeviceAlerts = endpoint({
  summary: 'The alerts of a device, and until when it is muted',
  params: devicePath,
  answer: deviceAlertsAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const { organizationId } = caller
    const device = await deviceQueries.findDevice(
      db,
      organizationId,
      readReference(params.device_id),
    )
    if (!device) throw notFound('device not found')
    return { data: await readDeviceAlerts({ db, now }, organizationId, device) }
  },
})

async function readDeviceAlerts(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  organizationId: number,
  device: deviceQueries.WatchedDevice,
): Promise<z.infer<typeof deviceAlerts>> {
  const filter = {
    state: undefined,
    kind: undefined,
    rule: undefined,
    gateway: undefined,
    device: device.id,
    isAcknowledged: undefined,
  }
  const page = { after: undefined, limit: shownAlerts, now: now() }
  const [alerts, limits] = await Promise.all([
    alertQueries.list(db, organizationId, filter, page),
    listLimits(db, organizationId, device.id),
  ])
  const { muted_until, interval_seconds } = device
  const isMuted = muted_until !== null && Date.parse(muted_until) > now().getTime()
  return {
    muted_until: isMuted ? timeOrNull(muted_until) : null,
    interval_seconds,
    alerts: alerts.map(toAlertRecord),
    limits,
  }
}

export const muteDeviceAlerts = endpoint({
  summary: 'Tell nobody of a device until a time',
  description:
    'Its alerts open and close as usual. Members are notified of those that are still open when the mute ends.',
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

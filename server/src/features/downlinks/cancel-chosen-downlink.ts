import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { pathId } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { cancelChosen, cancellationChange } from './cancellation.ts'
import type { DownlinkServices } from './downlink-services.ts'
import { findOfDevice } from './listed-downlink-queries.ts'
import { downlinkRecord, toDownlinkRecord } from './listed-downlink-record.ts'

const messages = {
  cancelled: 'The message is cancelled. It will not be sent.',
  too_late: 'Too late: the message was sent, or was just being sent.',
  finished: 'The message waited no more: there was nothing to cancel.',
  unclear:
    'The network no longer has the message, and has not reported what became of it. It may have been sent.',
  busy: 'The message is being handed to the network just now. Please try again.',
  unreachable:
    'The network could not be asked to take the message back. It may still be sent. Please try again later.',
}
type Outcome = keyof typeof messages

export const cancelChosenDownlink = endpoint({
  summary: 'Cancel one waiting message',
  description:
    'It is cancelled only if it can certainly no longer be sent; `outcome` says otherwise why not.',
  params: z.object({ ...devicePath.shape, downlink_id: pathId('107') }),
  answer: z.object({
    data: z
      .object({
        ...withExamples(
          {
            outcome: z.enum([
              'cancelled',
              'too_late',
              'finished',
              'unclear',
              'busy',
              'unreachable',
            ]),
            message: z.string(),
          },
          { outcome: 'cancelled', message: messages.cancelled },
        ),
        downlink: downlinkRecord,
      })
      .meta({ id: 'CancelledDownlink' }),
  }),
  failures: [404],
  change: cancellationChange,
  async handle({ params, caller, record }, services: DownlinkServices) {
    const { db } = services
    const { organizationId } = caller
    const device = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const read = () => findOfDevice(db, organizationId, device.id, params.downlink_id)
    const before = await read()
    if (!before) throw notFound('Downlink not found')
    const result = await cancelChosen({ ...services, record }, organizationId, device.id, before.id)
    const after = (await read()) ?? before
    const outcome = result === 'nothing' ? outcomeOf(before.state, after.state) : result
    return {
      data: { outcome, message: messages[outcome], downlink: toDownlinkRecord(after) },
    }
  },
})

/** What the state says where the cancel found nothing that waits. */
function outcomeOf(before: string, after: string): Outcome {
  const isWaiting = (state: string) => state === 'queued' || state === 'handed_over'
  if (!isWaiting(before)) return 'finished'
  return isWaiting(after) ? 'unclear' : 'too_late'
}

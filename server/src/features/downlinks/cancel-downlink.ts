import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as deviceQueries from '../fleet/inventory/device-queries.ts'
import { devicePath, readReference } from '../fleet/inventory/references.ts'
import { type Cancellation, cancellationChange, cancelNewest } from './cancellation.ts'
import type { DownlinkServices } from './downlink-services.ts'

const messages: Record<Cancellation, string> = {
  cancelled: 'Config message cancelled successfully.',
  nothing: 'There is no scheduled config message to cancel.',
  too_late: 'The config message was just being sent and could not be cancelled.',
  busy: 'The config message is being handed to the network. Please try again.',
  unreachable:
    'The network could not be asked to take the config message back. Please try again later.',
}

export const cancelDownlink = endpoint({
  summary: 'Cancel the last scheduled configuration message that was not sent yet',
  params: devicePath,
  examples: [
    { name: 'cancelled', answer: { status: true, message: messages.cancelled } },
    { name: 'nothing to cancel', answer: { status: false, message: messages.nothing } },
  ],
  answer: z.object({ status: z.boolean(), message: z.string() }),
  failures: [404],
  change: cancellationChange,
  async handle({ params, caller, record }, services: DownlinkServices) {
    const reference = readReference(params.device_id)
    const { organizationId } = caller
    const device = await deviceQueries.find(services.db, organizationId, reference)
    if (!device) throw notFound('device not found')
    const outcome = await cancelNewest({ ...services, record }, organizationId, device.id)
    return { status: outcome === 'cancelled', message: messages[outcome] }
  },
})

import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import { endpoint } from '../services.ts'
import * as deviceQueries from './device-queries.ts'
import { fullDevice, toFullDevice } from './device-record.ts'
import { devicePath, readDeviceReference } from './device-reference.ts'

export const changeDevice = endpoint({
  summary: 'Rename a device',
  params: devicePath,
  body: z.object(
    withExamples({ device_name: requiredText('device name') }, { device_name: 'Back door' }),
  ),
  answer: z.object({ data: fullDevice }),
  failures: [404],
  async handle({ params, body, caller }, { db, provisioner, now }) {
    const reference = readDeviceReference(params.device_id)
    const { organizationId } = caller
    const renamed = await db.transaction(async (tx) => {
      const changed = await deviceQueries.rename(
        tx,
        organizationId,
        reference,
        body.device_name,
        now(),
      )
      if (!changed) return undefined
      if (!changed.is_console_only) {
        // A device that the network refused is offered to it again under its new name.
        const action = changed.register_status === 'register_error' ? 'add' : 'rename'
        await outbox.enqueue(tx, organizationId, changed, action, now())
      }
      return deviceQueries.find(tx, organizationId, { id: changed.id, eui: null })
    })
    if (!renamed) throw notFound('device not found')
    provisioner.wake()
    return { data: toFullDevice(renamed) }
  },
})

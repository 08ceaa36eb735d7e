import { z } from 'zod'
import { changesOfBatch } from '../../../http/change-record.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { batchItems, transactBatch } from '../batches/batches.ts'
import { itemVariants, readItem } from './batch-items.ts'
import type { RegistrationServices } from './registration.ts'
import { readKnown, runBatch } from './run-batch.ts'

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    /** The DevEUI; null when the item was refused. */
    deviceId: z.string().nullable(),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'DeviceBatchEntry' })

/**
 * The devices exist when it answers; the networks are told afterwards, as the devices'
 * `device_register_status` shows.
 */
export const batchDevices = endpoint({
  summary: 'Create, update and delete up to 1,000 devices; one entry per item, in order',
  bodyLimit: bodyLimits.batch,
  body: z.object({ devices: batchItems('devices', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        devices: [
          {
            action: 'create',
            deviceName: 'Back door',
            deviceId: '00AA000000000002',
            provisioningData: {
              network: 'chirpstack',
              registerMethod: 'vendor',
              deviceKey: '00112233445566778899AABBCCDDEEFF',
              deviceTypeId: 16,
              joinEui: '0000000000000000',
              appRegion: 'EU868',
            },
          },
          { action: 'update', deviceId: '00AA000000000001', deviceName: 'Front door' },
          { action: 'delete', deviceId: '00AA000000000003' },
        ],
      },
      answer: {
        data: [
          { status: true, message: 'Device added successfully', deviceId: '00AA000000000002' },
          { status: true, message: 'Device updated successfully', deviceId: '00AA000000000001' },
          { status: false, message: 'device not found', deviceId: '00AA000000000003' },
        ],
      },
    },
  ],
  change: changesOfBatch('device', 'devices', {
    create: 'registered',
    update: 'changed',
    delete: 'deleted',
  }),
  async handle({ body, caller, record }, services: RegistrationServices) {
    const { db, now } = services
    const known = await readKnown(db, caller.organizationId, body.devices)
    const items = body.devices.map((sent) => readItem(sent, known))
    const batch = { items, now: now() }
    const data = await transactBatch(db, async (tx) => {
      const entries = await runBatch(tx, services, caller, batch)
      await record(tx, { data: entries })
      return entries
    })
    services.provisioner.wake()
    announce(services, caller.organizationId, { kind: 'device' })
    return { data }
  },
})

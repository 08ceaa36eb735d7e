import { z } from 'zod'
import { bodyLimits } from '../../http/body-limits.ts'
import { warningsField } from '../../http/unknown-members.ts'
import { batchItems } from '../batches/batch-request.ts'
import { endpoint } from '../core-services.ts'
import type { ProvisioningServices } from '../provisioning/provisioner.ts'
import { runBatch } from './batch.ts'
import { itemVariants, readItem } from './batch-items.ts'

const batchEntry = z
  .object({
    status: z.boolean(),
    message: z.string(),
    /** Of a creation: the EUI as it was sent. */
    gatewayEui: z.string().optional(),
    /** Null when the item was refused. */
    gatewayId: z.int().nullable(),
    action: z.string(),
    errors: z.array(z.string()).optional(),
    ...warningsField,
  })
  .meta({ id: 'GatewayBatchEntry' })

/**
 * The gateways exist when it answers; the networks are told afterwards, as the gateways'
 * `register_status` shows.
 */
export const batchGateways = endpoint({
  summary: 'Create, update and delete up to 1,000 gateways; one entry per item, in order',
  bodyLimit: bodyLimits.batch,
  body: z.object({ gateways: batchItems('gateways', itemVariants) }),
  answer: z.object({ data: z.array(batchEntry) }),
  examples: [
    {
      name: 'one of each',
      body: {
        gateways: [
          {
            action: 'create',
            gatewayName: 'Roof',
            gatewayIp: '192.168.2.1',
            gatewayBridge: 'chirpstack',
            description: 'North side',
            gatewayEui: '00BB000000000002',
            appRegion: 'EU868',
          },
          { action: 'update', gatewayId: 1, gatewayName: 'Tower' },
          { action: 'delete', gatewayId: 3 },
        ],
      },
      answer: {
        data: [
          {
            status: true,
            message: 'Gateway has been created successfully.',
            gatewayEui: '00BB000000000002',
            gatewayId: 2,
            action: 'create',
          },
          {
            status: true,
            message: 'Gateway updated successfully.',
            gatewayId: 1,
            action: 'update',
          },
          { status: false, message: 'Gateway not found!', gatewayId: 3, action: 'delete' },
        ],
      },
    },
  ],
  async handle({ body, caller }, services: ProvisioningServices) {
    const data = await runBatch(services, caller, body.gateways.map(readItem), services.now())
    services.provisioner.wake()
    return { data }
  },
})

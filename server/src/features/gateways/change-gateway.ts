import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import { endpoint } from '../services.ts'
import { change } from './gateway-change-queries.ts'
import { ipAddress } from './gateway-fields.ts'
import { gatewayNotFound, gatewayPath, readGatewayReference } from './gateway-reference.ts'

const updated = 'Gateway updated successfully.'

export const changeGateway = endpoint({
  summary: 'Change the name of a gateway, and its address',
  params: gatewayPath,
  body: z.object(
    withExamples(
      { gateway_name: requiredText('gateway name'), gateway_ip: ipAddress },
      { gateway_name: 'Tower', gateway_ip: '192.168.2.7' },
    ),
  ),
  answer: z.object({ status: z.literal(true), message: z.literal(updated) }),
  failures: [404],
  async handle({ params, body, caller }, { db, provisioner, now }) {
    const reference = readGatewayReference(params.gateway_id)
    const { organizationId } = caller
    const changed = await db.transaction(async (tx) => {
      const to = { name: body.gateway_name, ip: body.gateway_ip, now: now() }
      const gateway = await change(tx, organizationId, reference, to)
      if (!gateway || gateway.network === 'other') return gateway
      // A gateway that the network refused is offered to it again.
      const wasRefused = gateway.register_status === 'register_error'
      if (wasRefused) await outbox.enqueue(tx, organizationId, gateway, 'add', now())
      else if (gateway.is_renamed) {
        await outbox.enqueue(tx, organizationId, gateway, 'rename', now())
      }
      return gateway
    })
    if (!changed) throw notFound(gatewayNotFound)
    provisioner.wake()
    return { status: true as const, message: updated }
  },
})

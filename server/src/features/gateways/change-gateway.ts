import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { endpoint } from '../services.ts'
import { lock } from './gateway-change-queries.ts'
import { changeGateways } from './gateway-changes.ts'
import { ipAddress } from './gateway-fields.ts'
import { gatewayNotFound, readGatewayReference } from './gateway-reference.ts'

export const changeGateway = endpoint({
  summary: 'Change the name of a gateway, and its address',
  params: z.object({ gateway_id: z.string() }),
  body: z.object({ gateway_name: requiredText('gateway name'), gateway_ip: ipAddress }),
  answer: z.object({ status: z.literal(true), message: z.string() }),
  failures: [404],
  async handle({ params, body, caller }, { db, provisioner, now }) {
    const reference = readGatewayReference(params.gateway_id)
    const { organizationId } = caller
    await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      const change = { gateway, name: body.gateway_name, ip: body.gateway_ip }
      await changeGateways(tx, organizationId, [change], now())
    })
    provisioner.wake()
    return { status: true as const, message: 'Gateway updated successfully.' }
  },
})

import { z } from 'zod'
import { changeBy, textOf } from '../../../http/change-record.ts'
import { invalid } from '../../../http/errors.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import * as gatewayQueries from '../inventory/gateway-queries.ts'
import { registrationFields } from './gateway-fields.ts'
import { fullGateway, toFullGateway } from './gateway-record.ts'
import { checkGateway, euiTaken } from './gateway-registration.ts'
import { insertGateways } from './gateway-writes.ts'

const created = 'Gateway has been created successfully.' as const

/**
 * The network is called at once; when it does not answer in time, the gateway stays pending and the
 * provisioner tries again.
 */
export const createGateway = endpoint({
  summary: 'Register a gateway, with the fields of its network’s form',
  body: registrationFields,
  examples: [
    {
      name: 'ChirpStack',
      body: {
        gateway_bridge: 'chirpstack',
        gateway_name: 'Roof',
        gateway_eui: '00AA0000000000F1',
        gateway_ip: '192.168.2.1',
        region: 'EU868',
      },
    },
    {
      name: 'The Things Stack',
      body: {
        gateway_bridge: 'thethingsnetwork',
        gateway_name: 'Roof',
        gateway_eui: '00AA0000000000F1',
        frequency_plan: 'EU_863_870_TTN',
        zone_id: 'eu1',
      },
    },
  ],
  answer: z.object({
    status: z.literal(true),
    message: z.literal(created),
    gateway: fullGateway,
    ...warningsField,
  }),
  change: changeBy(({ body }) => ({
    kind: 'gateway',
    action: 'registered',
    subject: textOf(body.gateway_eui)?.toUpperCase(),
    name: textOf(body.gateway_name),
  })),
  async handle({ body, caller, record }, services: ProvisioningServices) {
    const { db, sealer, provisioner, now } = services
    const { organizationId } = caller
    const registration = await checkGateway(db, organizationId, body)
    const id = await db.transaction(async (tx) => {
      const what = { registrations: [registration], now: now() }
      const ids = await insertGateways(tx, sealer, caller, what)
      // Another registration took the EUI since the check.
      if (!ids?.[0]) throw invalid(euiTaken)
      await record(tx)
      return ids[0]
    })
    announce(services, organizationId, { kind: 'gateway', id })
    await provisioner.provisionGatewayNow(id)
    const gateway = await gatewayQueries.findRegistered(db, organizationId, id)
    return {
      status: true as const,
      message: created,
      gateway: toFullGateway(gateway),
      // The record of a pending or refused gateway has the reason.
      ...(gateway.register_error === null ? {} : { warnings: [gateway.register_error] }),
    }
  },
})

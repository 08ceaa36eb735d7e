import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import type { BillingServices } from '../billing/plans.ts'
import { formPayment, readFormPayment } from '../billing/registration-payment.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import { deviceForm, readDeviceForm } from './device-form.ts'
import { gatewayForm, toGatewayForm } from './gateway-form.ts'

const unknownNetwork = 'The selected network is invalid.'

/** The registration form of a network, for devices or for gateways. */
export const showConfiguration = endpoint({
  summary: 'The registration form of a network; `type` selects devices or gateways',
  query: z.object(
    withExamples(
      {
        network: requiredText('network').refine((key) => findNetwork(key), unknownNetwork),
        type: requiredText('type').pipe(
          z.enum(['device', 'gateway'], { error: 'The type must be one of: device, gateway.' }),
        ),
      },
      { network: 'chirpstack', type: 'device' },
    ),
  ),
  answer: z.union([
    z
      .object({
        payment: formPayment,
        ...withExamples(
          { user_account_configured: z.boolean() },
          { user_account_configured: true },
        ),
        form: deviceForm,
      })
      .meta({ title: 'device' }),
    z.object({ form: gatewayForm }).meta({ title: 'gateway' }),
  ]),
  async handle({ query, caller }, services: BillingServices) {
    const network = findNetwork(query.network)
    const hasForm = query.type === 'device' ? network?.forms.device : network
    if (!network || !hasForm) throw invalid({ network: [unknownNetwork] })
    if (query.type === 'gateway') return { form: toGatewayForm(network) }
    return showDeviceForm(services, caller.organizationId, network)
  },
})

async function showDeviceForm(services: BillingServices, organizationId: number, network: Network) {
  const { db, now } = services
  return {
    payment: await readFormPayment(services, organizationId, network.key, now()),
    user_account_configured: await hasOwnAccount(services, organizationId, network),
    form: await readDeviceForm(db, organizationId, network),
  }
}

async function hasOwnAccount(
  { db }: BillingServices,
  organizationId: number,
  { key, loraVariant }: Network,
): Promise<boolean> {
  const accounts = await accountQueries.list(db, organizationId)
  return accounts.some(
    ({ network, register_method }) =>
      (network === key || network === loraVariant) && register_method === 'user_account',
  )
}

import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { gatewayFields } from '../../networks/forms.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import { escapeHtml } from '../../sensors/render.ts'
import type { BillingServices } from '../billing/plans.ts'
import { formPayment, readFormPayment } from '../billing/registration-payment.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import { deviceForm, readDeviceForm } from './device-form.ts'
import { type FormField, formField } from './form-fields.ts'

const unknownNetwork = 'The selected network is invalid.'

/** The example is a network that asks only for name and EUI. */
function exampleOfField(name: (typeof gatewayFields)[number]): [string, FormField] {
  const isAsked = name === 'gatewayName' || name === 'gatewayEui'
  return [name, isAsked ? { validation: 'required', type: 'text' } : 'na']
}

/** The form that registers gateways on a network. */
const gatewayForm = z
  .object({
    fields: z
      .record(z.enum(gatewayFields), formField)
      .meta({ examples: [Object.fromEntries(gatewayFields.map(exampleOfField))] }),
    data: z.object(
      withExamples(
        { description: z.string(), models: z.array(z.string()) },
        { description: '<p>Have the gateway EUI at hand.</p>', models: [] },
      ),
    ),
  })
  .meta({ id: 'GatewayForm' })

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
      (network === key || network === loraVariant) && register_method !== 'vendor',
  )
}

/** Every field is `na` when the network takes no gateways. */
function toGatewayForm({ name, forms }: Network): z.infer<typeof gatewayForm> {
  const form = forms.gateway
  const fields = gatewayFields.map((field) => {
    const asked = form?.fields[field]
    if (!asked) return [field, 'na'] as const
    const { validation, values } = asked
    const shown: FormField = values
      ? { validation, type: 'select', values: { ...values } }
      : { validation, type: 'text' }
    return [field, shown] as const
  })
  const description = form?.description ?? `Gateways of ${name} are not registered from here.`
  return {
    fields: Object.fromEntries(fields) as z.infer<typeof gatewayForm>['fields'],
    data: { description: `<p>${escapeHtml(description)}</p>`, models: [...(form?.models ?? [])] },
  }
}

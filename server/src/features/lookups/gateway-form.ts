import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { gatewayFields } from '../../networks/forms.ts'
import type { Network } from '../../networks/network.ts'
import { escapeHtml } from '../../sensors/render.ts'
import { type FormField, formField } from './form-field.ts'

/** As a network has it that asks for a name and an EUI alone. */
function exampleOfField(name: (typeof gatewayFields)[number]): [string, FormField] {
  const isAsked = name === 'gatewayName' || name === 'gatewayEui'
  return [name, isAsked ? { validation: 'required', type: 'text' } : 'na']
}

/** The form with which gateways are registered on a network. */
export const gatewayForm = z
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

/** Every field is `na` where no gateways are registered. */
export function toGatewayForm({ name, forms }: Network): z.infer<typeof gatewayForm> {
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

import { z } from 'zod'
import { gatewayFields } from '../../networks/forms.ts'
import type { Network } from '../../networks/network.ts'
import { escapeHtml } from '../../sensors/render.ts'
import { type FormField, formField } from './form-field.ts'

/** The form with which gateways are registered on a network. */
export const gatewayForm = z
  .object({
    fields: z.record(z.enum(gatewayFields), formField),
    data: z.object({ description: z.string(), models: z.array(z.string()) }),
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

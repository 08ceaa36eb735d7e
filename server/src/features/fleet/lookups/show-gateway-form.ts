import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { escapeHtml } from '../../../sensors/render.ts'
import * as accountQueries from '../../accounts/connections/account-queries.ts'
import { endpoint } from '../../core-services.ts'
import { frequencyPlanRecord, networkImage } from './form-fields.ts'

const zoneRecord = z.object({
  id: z.string(),
  region: z.string(),
  ns_address: z.string(),
  as_address: z.string(),
  js_address: z.string(),
  is_address: z.string(),
  app_id: z.string(),
})

const exampleZone = {
  id: 'eu1',
  region: 'Europe 1',
  ns_address: 'eu1.cloud.thethings.network',
  as_address: 'eu1.cloud.thethings.network',
  js_address: 'eu1.cloud.thethings.network',
  is_address: 'eu1.cloud.thethings.network',
  app_id: 'cold-storage',
}

/** A POST that changes nothing: every member may call it. */
export const showGatewayForm = endpoint({
  summary: 'What the page for registering a gateway of one type shows',
  query: z.object(
    withExamples(
      { gatewayType: requiredText('gateway type') },
      { gatewayType: 'thethingsnetwork' },
    ),
  ),
  changesNothing: true,
  answer: z.object({
    ...withExamples(
      {
        gatewayType: z.string(),
        page_name: z.string(),
        zones: z.record(z.string(), zoneRecord),
        selected_gateway: z.string(),
        gateway_image: z.string(),
        description: z.string(),
      },
      {
        gatewayType: 'thethingsnetwork',
        page_name: 'Add a gateway to The Things Stack',
        zones: { eu1: exampleZone },
        selected_gateway: 'The Things Stack',
        gateway_image: 'https://console.example.com/images/networks/thethingsnetwork.svg',
        description: '<p>Have the gateway EUI at hand.</p>',
      },
    ),
    frequency_plans: z.array(frequencyPlanRecord),
  }),
  async handle({ query, caller }, { db, publicUrl }) {
    const network = findNetwork(query.gatewayType)
    const form = network?.forms.gateway
    if (!network || !form) {
      throw invalid({ gatewayType: ['The selected gateway type is invalid.'] })
    }
    const account = await accountQueries.find(
      db,
      caller.organizationId,
      network.key,
      'user_account',
    )
    return {
      gatewayType: network.key,
      page_name: pageName(network),
      zones: zonesOf(network, account?.account_fields.application_id ?? ''),
      frequency_plans: [...(form.frequencyPlans ?? [])],
      selected_gateway: network.name,
      gateway_image: networkImage(publicUrl, network.key),
      description: `<p>${escapeHtml(form.description)}</p>`,
    }
  },
})

function pageName({ key, name }: Network): string {
  return key === 'other' ? 'Add another gateway' : `Add a gateway to ${name}`
}

/** The zones of the network, each with the application of the organization's account. */
function zonesOf({ forms }: Network, applicationId: string) {
  return Object.fromEntries(
    (forms.gateway?.zones ?? []).map((zone) => [zone.id, { ...zone, app_id: applicationId }]),
  )
}

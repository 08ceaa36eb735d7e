import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import { endpoint } from '../../core-services.ts'
import { ownedGateway, toOwnedGateway } from '../gateways/gateway-record.ts'
import { listOnNetworks } from '../inventory/gateway-queries.ts'
import { frequencyPlanRecord, regionChoice, regionChoices } from './form-fields.ts'

/** `gateway` is the key of any network, also of one that takes only gateways. */
export const showNetworkData = endpoint({
  summary: 'Regions, gateways and frequency plans of a network',
  query: z.object(
    withExamples({ gateway: requiredText('gateway') }, { gateway: 'thethingsnetwork' }),
  ),
  answer: z.object({
    regions: z.array(regionChoice),
    gateways: z.array(ownedGateway),
    frequencyPlans: z.array(frequencyPlanRecord),
  }),
  async handle({ query, caller }, { db }) {
    const network = findNetwork(query.gateway)
    if (!network) throw invalid({ gateway: ['The selected gateway is invalid.'] })
    const { key, loraVariant, forms } = network
    const keys = loraVariant === undefined ? [key] : [key, loraVariant]
    const gateways = await listOnNetworks(db, caller.organizationId, keys)
    const hasRegions = forms.device?.fields.appRegion ?? forms.gateway?.fields.region
    return {
      regions: hasRegions ? regionChoices : [],
      gateways: gateways.map(toOwnedGateway),
      frequencyPlans: [...(forms.device?.frequencyPlans ?? forms.gateway?.frequencyPlans ?? [])],
    }
  },
})

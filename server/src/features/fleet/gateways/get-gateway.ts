import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/sealed-columns.ts'
import { notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import * as gatewayQueries from '../inventory/gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { callbackAddress, fullGateway, toFullGateway } from './gateway-record.ts'

/** The settings of a gateway of kind `other`; empty texts for all others. */
const gatewayConfigs = z.object(
  withExamples(
    {
      /** For the header `Authorization: Bearer`. Null without `manage_gateways`. */
      authorisation_token: z.string().nullable(),
      /** The address to which it posts its uplinks. */
      download_link: z.string(),
    },
    { authorisation_token: '', download_link: '' },
  ),
)

function openToken({ id, sealed_token: sealed }: gatewayQueries.StoredGateway, sealer: Sealer) {
  return sealed ? sealer.open(sealed, sealContext('gatewayToken', id)) : ''
}

export const getGateway = endpoint({
  summary: 'Retrieve a gateway, and what it is set up with',
  params: gatewayPath,
  answer: z.object({ gateway: fullGateway, gateway_configs: gatewayConfigs }),
  failures: [404],
  async handle({ params, caller }, { db, sealer, publicUrl }) {
    const reference = readReference(params.gateway_id)
    const gateway = await gatewayQueries.find(db, caller.organizationId, reference)
    if (!gateway) throw notFound(gatewayNotFound)
    return {
      gateway: toFullGateway(gateway),
      gateway_configs: {
        authorisation_token: caller.permissions.includes('manage_gateways')
          ? openToken(gateway, sealer)
          : null,
        download_link: gateway.sealed_token ? callbackAddress(publicUrl, gateway.uuid) : '',
      },
    }
  },
})

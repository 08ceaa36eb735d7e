import { z } from 'zod'
import { sealContext } from '../../../db/sealed-columns.ts'
import { changeOf } from '../../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean } from '../../../http/fields.ts'
import { hashOfSecret, newCallbackSecret } from '../../accounts/connections/callback-secret.ts'
import { endpoint } from '../../core-services.ts'
import * as gatewayQueries from '../inventory/gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { callbackAddress } from './gateway-record.ts'
import { rotateToken } from './gateway-write-queries.ts'

const overlapMilliseconds = 24 * 60 * 60 * 1000

const tooMany =
  'Too many former tokens are still valid. Please send end_former to end them, or wait.'

export const rotateGatewayToken = endpoint({
  summary: 'Make another token of a gateway of kind `other`; the old one stays valid for 24 hours',
  description:
    'Every former token is valid for 24 hours from the moment at which it was replaced; 409 when there are 10 of them. With `end_former` all of them end at once.',
  params: gatewayPath,
  body: z.object(
    withExamples({ end_former: optionalBoolean('end former') }, { end_former: false }),
  ),
  answer: z.object({
    data: z.object(
      withExamples(
        { authorisation_token: z.string(), download_link: z.string() },
        {
          authorisation_token: 'exampleTokenM2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5TQ',
          download_link:
            'https://console.example.com/v1/callbacks/other/00000000-0000-4000-a000-0000000000f2',
        },
      ),
    ),
  }),
  failures: [404, 409],
  change: changeOf('gateway', 'given a new token'),
  async handle({ params, body, caller, record }, { db, sealer, now, publicUrl }) {
    const reference = readReference(params.gateway_id)
    const gateway = await gatewayQueries.find(db, caller.organizationId, reference)
    if (!gateway) throw notFound(gatewayNotFound)
    if (!gateway.sealed_token) {
      throw invalid({ gateway_id: ['Only a gateway of kind other has a token.'] })
    }
    const token = newCallbackSecret()
    const sealed = sealer.seal(token, sealContext('gatewayToken', gateway.id))
    const present = now().getTime()
    await db.transaction(async (tx) => {
      const isRotated = await rotateToken(
        tx,
        caller.organizationId,
        { id: gateway.id, sealed, hash: hashOfSecret(token) },
        {
          now: present,
          until: present + overlapMilliseconds,
          endsFormer: body.end_former ?? false,
        },
      )
      if (!isRotated) throw conflict(tooMany)
      await record(tx)
    })
    return {
      data: {
        authorisation_token: token,
        download_link: callbackAddress(publicUrl, gateway.uuid),
      },
    }
  },
})

import { z } from 'zod'
import { outlastInTime } from '../../db/outlast.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { messageEndpoint } from '../../features/core-services.ts'
import { bodyLimits, type RequestContext } from '../../http/endpoint.ts'
import { unauthenticated } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { parseJson } from '../../http/read-json.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { readMessages } from '../../networks/other/messages.ts'
import { askToRepeat, readContents } from './receive-callback.ts'
import { type CallbackServices, deadlineFromNow, receiveMessages } from './receive-messages.ts'
import { findProvenGateway } from './senders.ts'

/**
 * The endpoint for messages of a gateway of kind `other`. Such a gateway belongs to no network, so
 * it may name every device of its organization, on any network.
 */
export const receiveGatewayMessage = messageEndpoint({
  summary: 'Receive uplinks from a gateway of kind `other`',
  description:
    'Understood are uplinks of MultiTech (app-connect), Milesight and Tektelic gateways, one or a list of them.',
  params: z.object(
    withExamples({ gateway: z.string() }, { gateway: '00000000-0000-4000-a000-0000000000f2' }),
  ),
  examples: [
    {
      name: 'uplink of a MultiTech gateway',
      body: {
        deveui: '00-aa-00-00-00-00-00-01',
        gweui: '00-aa-00-00-00-00-00-f2',
        devaddr: '12312312',
        time: '2026-03-01T11:59:07.775023Z',
        fcnt: 10,
        port: 2,
        data: 'GgMB',
        datr: 'SF8BW500',
        freq: 904.6,
        rssi: -66,
        lsnr: 10,
      },
    },
  ],
  answer: z.object({ status: z.literal(true) }),
  bodyLimit: bodyLimits.callback,
  userOf: ({ gateway = '' }, headers, services) =>
    findSender(gateway, headers, services, deadlineFromNow()),
  security: {
    name: 'gatewayToken',
    description: 'the `authorisation_token` of the gateway.',
    scheme: { type: 'http', scheme: 'bearer' },
  },
  failures: [400, 401, 413, 503],
  async handle({ params, message, request }, services: CallbackServices) {
    const deadline = deadlineFromNow()
    const account = await findSender(params.gateway, request.headers, services, deadline)
    if (!account) throw unauthenticated('The authorisation token is missing or wrong.')
    await services.ingest.checkRoom(account).catch(askToRepeat)
    const body = parseJson(message)
    const contents = readContents(() => readMessages(body, isoTimeOf(services.now())))
    const received = { account, way: 'gateway', contents, message, body, deadline } as const
    await receiveMessages(services, received).catch(askToRepeat)
    return { status: true as const }
  },
})

/** Returns the gateway in the address if the request has its token. */
async function findSender(
  uuid: string,
  headers: RequestContext['headers'],
  { ingestDb, now }: Pick<CallbackServices, 'ingestDb' | 'now'>,
  deadline: number,
): Promise<SendingAccount | undefined> {
  const token = /^Bearer (\S{1,256})$/i.exec(headers.authorization?.toString() ?? '')?.[1]
  if (token === undefined) return undefined
  return outlastInTime(deadline, () => findProvenGateway(ingestDb, { uuid, token, now: now() }))
}

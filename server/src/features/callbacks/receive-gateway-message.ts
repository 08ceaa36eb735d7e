import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { outlast } from '../../db/outlast.ts'
import { bodyLimits } from '../../http/body-limits.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { HttpError, unauthenticated, unavailable } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { parseJson } from '../../http/read-json.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { type NetworkMessage, NotOurMessage } from '../../networks/network-message.ts'
import { readMessages } from '../../networks/other/messages.ts'
import { isSecretOf } from '../connections/callback-access.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { openEndpoint } from '../core-services.ts'
import { QueueFull } from '../uplinks/arrival.ts'
import type { CallbackServices } from './callback-services.ts'
import { deadlineFromNow, partsOf, receiveMessage } from './receive-message.ts'

/**
 * What a gateway of kind `other` posts. It may name every device of its organization, whatever
 * network the device is registered on: such a gateway stands beside the networks.
 */
export const receiveGatewayMessage = openEndpoint({
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
  rawBodyLimit: bodyLimits.callback,
  async rootOf({ gateway = '' }, headers, services) {
    const account = await findSender(gateway, headers, services, deadlineFromNow())
    return account?.rootId ?? 0
  },
  security: {
    name: 'gatewayToken',
    description: 'the `authorisation_token` of the gateway.',
    scheme: { type: 'http', scheme: 'bearer' },
  },
  failures: [400, 401, 413, 503],
  async handle({ params, body, request }, services: CallbackServices) {
    const deadline = deadlineFromNow()
    const account = await findSender(params.gateway, request.headers, services, deadline)
    if (!account) throw unauthenticated('The authorisation token is missing or wrong.')
    await services.ingest.checkRoom(account.rootId).catch(askToRepeat)
    const message = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const sent = parseJson(message)
    const contents = read(sent, isoTimeOf(services.now()))
    const parts = partsOf(message, sent, contents.length)
    await Promise.all(
      contents.map((content, at) =>
        receiveMessage(services, { account, content, message: parts[at] ?? message, deadline }),
      ),
    ).catch(askToRepeat)
    return { status: true as const }
  },
})

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The gateway of the address, if the token is its own. */
async function findSender(
  uuid: string,
  headers: RequestContext['headers'],
  { ingestDb, now }: Pick<CallbackServices, 'ingestDb' | 'now'>,
  deadline: ReturnType<typeof deadlineFromNow>,
): Promise<SendingAccount | undefined> {
  const token = /^Bearer (\S{1,256})$/i.exec(headers.authorization?.toString() ?? '')?.[1]
  if (token === undefined) return undefined
  return outlast(deadline, () => findGateway(ingestDb, { uuid, token, now: now() }))
}

/** The gateway whose token it is, as the source of what it sends. */
async function findGateway(
  db: Queryable,
  { uuid, token, now }: { uuid: string; token: string; now: Date },
): Promise<SendingAccount | undefined> {
  if (!isUuid.test(uuid)) return undefined
  const [gateway] = await db.query<{
    id: number
    organization_id: number
    root_id: number
    eui: string
    token_hash: Buffer | null
    /** Hash in hexadecimal; end in milliseconds since 1970. */
    former_tokens: { hash: string; until: number }[]
  }>(
    `select gateways.id, gateways.organization_id, organizations.root_id, gateways.eui,
       gateways.token_hash, gateways.former_tokens
     from gateways
     join organizations on organizations.id = gateways.organization_id
     where gateways.uuid = $1 and gateways.deleted_at is null`,
    [uuid],
  )
  if (!gateway?.token_hash) return undefined
  const former = gateway.former_tokens.map(({ hash, until }) => ({
    hash: Buffer.from(hash, 'hex'),
    until,
  }))
  if (!isSecretOf({ callbackHash: gateway.token_hash, former }, token, now)) return undefined
  return {
    // The number of no network account, so that the quarantine keeps the sources apart.
    id: -gateway.id,
    organizationId: gateway.organization_id,
    rootId: gateway.root_id,
    network: 'other',
    isVendor: false,
    gatewayEui: gateway.eui,
  }
}

function read(sent: unknown, receivedAt: string): NetworkMessage[] {
  try {
    return readMessages(sent, receivedAt)
  } catch (error) {
    if (error instanceof NotOurMessage) throw new HttpError(400, error.message)
    throw error
  }
}

function askToRepeat(error: unknown): never {
  throw error instanceof QueueFull ? unavailable(2) : error
}

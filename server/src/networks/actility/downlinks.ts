// The tunnel interface from an application server to the core network, API 7.3, POST /v2/downlink.
import { randomBytes } from 'node:crypto'
import { objectOf } from '../answer-fields.ts'
import type { NetworkDownlink } from '../device-queue.ts'
import { NetworkError } from '../network-error.ts'
import { RefusedCall } from '../rest.ts'
import type { Session } from './client.ts'
import { signCall } from './signature.ts'

/** Returns our CorrelationID, which the report of the transmission carries. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  const correlationId = randomBytes(8).toString('hex').toUpperCase()
  await send(session, {
    DevEUI: devEui.toUpperCase(),
    FPort: String(fPort),
    Payload: Buffer.from(payload).toString('hex').toUpperCase(),
    ...(confirmed ? { Confirmed: '1' } : {}),
    ...identify(session),
    CorrelationID: correlationId,
  })
  return correlationId
}

/** Empties the device's queue, including downlinks of other application servers. */
export async function flushDownlinks(session: Session, devEui: string): Promise<void> {
  await send(session, {
    DevEUI: devEui.toUpperCase(),
    FlushDownlinkQueue: '1',
    ...identify(session),
  })
}

function identify({ account }: Session) {
  // The document writes times with an offset instead of Z.
  return { AS_ID: account.asId, Time: new Date().toISOString().replace('Z', '+00:00') }
}

async function send(session: Session, query: Record<string, string>): Promise<void> {
  const { asKey } = session.account
  if (asKey === '') {
    throw new NetworkError(
      'refused',
      'ThingPark takes downlinks that are signed: enter the AS key of the application server (as_key).',
    )
  }
  const Token = signCall(query, asKey)
  try {
    await session.tunnel({ method: 'POST', path: '/v2/downlink', query: { ...query, Token } })
  } catch (error) {
    throw error instanceof RefusedCall ? explain(error) : error
  }
}

/**
 * No gateway has heard the device recently (115), the device gets too many downlinks (121), or the
 * clocks of ThingPark and of this machine differ (110).
 */
const passingCodes = [110, 115, 121]
/** AS ID or AS key is not that of the device's application server. */
const accountCodes = [105, 107, 108, 111]

/** Every refusal is a 409. Its code says whether repeating the call may help. */
function explain(error: RefusedCall): NetworkError {
  const code = Number(objectOf(error.body).code)
  if (passingCodes.includes(code)) return new NetworkError('not_yet', error.message)
  if (accountCodes.includes(code)) return new NetworkError('unauthorized', error.message)
  return error
}

// The tunnel interface of the core network, POST /v2/downlink of API 7.3.

import { signCall } from '../../src/networks/actility/signature.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { type AppServer, refuse, type ThingPark } from './store.ts'

const downlinkPath = '/thingpark/lrc/rest/v2/downlink'

export function tunnelRoutes(thingPark: ThingPark): FarRoute[] {
  return [['POST', downlinkPath, (call) => takeDownlink(thingPark, call)]]
}

/** Every refusal is a 409 with one of the documented codes. */
function reject(code: number, message: string): FarAnswer {
  return refuse(409, code, message)
}

function takeDownlink(thingPark: ThingPark, { query }: FarCall): FarAnswer {
  const device = thingPark.side.devices.get(query.DevEUI ?? '')
  if (!device) return reject(100, 'Invalid DevEUI')
  const servers = [...thingPark.appServers.values()].filter(({ id }) =>
    device.record.appServerIds.includes(id),
  )
  const fault = checkSecurity(thingPark, servers, query) ?? checkContent(query)
  if (fault) return fault
  if (query.FlushDownlinkQueue === '1') device.queue.length = 0
  if (query.Payload !== undefined) {
    device.queue.push({
      id: query.CorrelationID ?? '',
      fPort: Number(query.FPort),
      data: Buffer.from(query.Payload, 'hex'),
      confirmed: query.Confirmed === '1',
    })
  }
  return { status: 202 }
}

function checkSecurity(
  { side }: ThingPark,
  servers: readonly AppServer[],
  query: Record<string, string>,
): FarAnswer | undefined {
  const { AS_ID, Time, Token, ...rest } = query
  if (AS_ID === undefined) return reject(105, 'Security Check: AS_ID is mandatory')
  const allowed = servers.filter(({ asId }) => asId === AS_ID)
  if (allowed.length === 0) return reject(107, 'Security Check: Bad AS_ID')
  if (Time === undefined || Token === undefined) {
    return reject(106, 'Security Check: Missing timestamp')
  }
  const sentAt = Date.parse(Time)
  if (Number.isNaN(sentAt)) return reject(109, 'Security Check: Malformed ISO 8601 time')
  const signed = Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'Token'))
  const server = allowed.find(({ asKey }) => signCall(signed, asKey) === Token)
  if (!server) return reject(111, 'Security Check: Bad token')
  const limit = server.maxTimestampDeviation * 1000
  if (limit > 0 && Math.abs(side.now() - sentAt) > limit) {
    return reject(110, 'Security Check: Invalid downlink frame timestamp')
  }
  return 'FCntDn' in rest ? reject(101, 'Downlink counter value already used') : undefined
}

function checkContent(query: Record<string, string>): FarAnswer | undefined {
  const { Payload, FPort, FlushDownlinkQueue, CorrelationID } = query
  if (CorrelationID !== undefined && !/^[0-9A-F]{16}$/.test(CorrelationID)) {
    return reject(
      117,
      'Invalid Correlation ID. Must be a 64 bits hexadecimal value encoded as string',
    )
  }
  if (Payload === undefined) {
    return FlushDownlinkQueue === '1'
      ? undefined
      : reject(118, 'Invalid payload. Must not be empty')
  }
  const port = Number(FPort)
  if (!Number.isInteger(port) || port < 1 || port > 225) return reject(104, 'Invalid LoRa port')
  return /^([0-9A-F]{2}){1,250}$/.test(Payload)
    ? undefined
    : reject(113, 'Payload too big or invalid size')
}

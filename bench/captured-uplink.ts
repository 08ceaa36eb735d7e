import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SimulatedNetwork } from '../server/simulators/simulated-network.ts'
import { deviceEui, firstCounter, payload, type UplinkTemplate } from './uplink-message.ts'

/** An uplink as a network posts it. */
export interface CapturedUplink {
  /** What follows the address of the callback, with the query. */
  suffix: string
  contentType: string
  template: UplinkTemplate
}

interface Post {
  url: string
  contentType: string
  body: string
}

/** The names of the frame counter of an uplink in the messages of the networks. */
const counterNames = /^(fcnt|f_cnt|fcntup|counter_up|fcntu|seqno)$/i
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g
/** Ids of the message itself, by which repeats of it are found. */
const uuid = /(?<="deduplicationId":")[0-9a-f-]{36}/g
const hash = /(?<="(?:packet_hash|id)":")[0-9a-f]{24,32}/g

/**
 * Lets the simulator of a network post an uplink of the benchmark's first device, and returns it as
 * a template. Sets the callback of the simulator.
 */
export async function captureUplink(simulator: SimulatedNetwork): Promise<CapturedUplink> {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    const contentType = request.headers['content-type'] ?? ''
    posts.push({ url: request.url ?? '', contentType, body: await text(request) })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  simulator.setCallback({ url: `http://127.0.0.1:${port}`, header: 'x-bench', value: 'bench' })
  try {
    simulator.addDevice(deviceEui(0).toUpperCase(), 'Bench device')
    // The second one has a frame counter above 0, which some networks leave out.
    for (let sent = 0; sent < 2; sent += 1) {
      await simulator.sendUplink(deviceEui(0).toUpperCase(), payload(0).toString('hex'))
      await simulator.settle()
    }
    for (const { url, contentType, body } of posts.reverse()) {
      const template = templateOf(body)
      if (template) return { suffix: isSigned(body) ? '' : url.slice(1), contentType, template }
    }
    throw new Error(`the simulator of ${simulator.network} posted no uplink`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * ThingPark's tunnel signs its messages, which the generator cannot do. Its IoT Flow sends the same
 * members without a wrapper and unsigned (networks/actility/signature.ts).
 */
const signedWrapper = 'DevEUI_uplink'

function isSigned(body: string): boolean {
  return body.startsWith(`{"${signedWrapper}"`)
}

/** Undefined for a message without the payload, such as that of a join. */
function templateOf(body: string): UplinkTemplate | undefined {
  const parsed = JSON.parse(body)
  const message = setCounters(isSigned(body) ? parsed[signedWrapper] : parsed)
  // The present is written in UTC.
  const text = JSON.stringify(message).replaceAll('+02:00', '+00:00')
  const bytes = payload(0)
  const places: UplinkTemplate['places'] = []
  const add = (kind: UplinkTemplate['places'][number]['kind'], samples: Iterable<string>) => {
    for (const sample of new Set(samples)) if (text.includes(sample)) places.push({ kind, sample })
  }
  add('base64', [bytes.toString('base64')])
  add('hex', [bytes.toString('hex')])
  add('HEX', [bytes.toString('hex').toUpperCase()])
  if (places.length === 0) return undefined
  add('eui', [deviceEui(0)])
  add('EUI', [deviceEui(0).toUpperCase()])
  add('counter', [String(firstCounter)])
  add('time', text.match(time) ?? [])
  add('uuid', text.match(uuid) ?? [])
  add('hash', text.match(hash) ?? [])
  add('milliseconds', text.match(nearNow('')) ?? [])
  add('seconds', text.match(nearNow('\\.')) ?? [])
  return { text, places }
}

/** About the present, since 1970: what stands between the seconds and the milliseconds. */
function nearNow(between: string): RegExp {
  const start = String(Date.now()).slice(0, -6)
  return new RegExp(`\\b${start}\\d{3}${between}\\d{3}\\b`, 'g')
}

/** Gives the frame counter the value that the templates look for. */
function setCounters(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(setCounters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (!counterNames.test(name)) return [name, setCounters(part)]
      return [name, typeof part === 'string' ? String(firstCounter) : firstCounter]
    }),
  )
}

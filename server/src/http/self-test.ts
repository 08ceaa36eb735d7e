import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Sealer } from '../db/seal.ts'
import type { FindClientAddress } from './client-address.ts'
import { notFound, tooManyRequests } from './errors.ts'
import { streamHeaders } from './event-stream.ts'

/**
 * Answers `lora-console doctor`, which calls the service at PUBLIC_URL as a network would. It lies below
 * `/callbacks/`, which a proxy passes on even where it hides the rest of the API.
 */

/** Below the path of the API. */
export const selfTestPath = '/callbacks/self-test'
/** Carries a ticket, which only the holder of this installation's key can make. */
export const ticketHeader = 'x-self-test'
/** Milliseconds between the two events: a proxy that buffers hands them over together. */
export const eventPause = 1000

const context = 'self-test'
const ticketLife = 10 * 60_000
const mostAtOnce = 4

/** How a call arrived. */
export interface Arrival {
  version: string
  /** The address that counts as the client's. */
  client: string
  /** Who made the connection. */
  peer: string
  forwarded_for: string | null
  host: string | null
  /** The clock of the service, in milliseconds since 1970. */
  time: number
}

export function makeTicket(sealer: Sealer, now: Date): string {
  return sealer.seal(String(now.getTime()), context).toString('base64url')
}

interface SelfTestOptions {
  basePath: string
  sealer: Sealer
  findClientAddress: FindClientAddress
}

/** Two events, `eventPause` apart. The first is an `Arrival`. */
export function mountSelfTest(app: FastifyInstance, options: SelfTestOptions): void {
  const { sealer, findClientAddress } = options
  let running = 0
  app.get(options.basePath + selfTestPath, async (request, reply) => {
    const { headers, raw } = request
    // The clock of the caller, which is the same machine's as a rule.
    if (!isTicket(sealer, headers[ticketHeader], Date.now())) throw notFound('Not found')
    if (running >= mostAtOnce) throw tooManyRequests(2)
    running += 1
    const arrival: Arrival = {
      version: packageFile.version,
      client: findClientAddress(raw),
      peer: raw.socket.remoteAddress ?? '',
      forwarded_for: textOf(headers['x-forwarded-for']),
      host: textOf(headers.host),
      time: Date.now(),
    }
    reply.hijack()
    reply.raw.writeHead(200, streamHeaders(reply))
    reply.raw.write(eventOf(arrival))
    await sleep(eventPause)
    reply.raw.end(eventOf({ end: true }))
    running -= 1
  })
}

function eventOf(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function textOf(header: string | string[] | undefined): string | null {
  return header === undefined ? null : String(header)
}

function isTicket(sealer: Sealer, sent: string | string[] | undefined, now: number): boolean {
  if (typeof sent !== 'string') return false
  try {
    const madeAt = Number(sealer.open(Buffer.from(sent, 'base64url'), context))
    return Math.abs(now - madeAt) < ticketLife
  } catch {
    return false
  }
}

import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyLimits } from './body-limits.ts'
import type { AnyEndpoint, Caller, OpenEndpoint, Session } from './endpoint.ts'
import { unavailable } from './errors.ts'
import type { GiveBack, TakeShare } from './shares.ts'

/** Of what is dear each organization's tree has one at a time; its further requests wait. */
export interface Shares {
  /** Bodies beyond the usual size. */
  bodies: TakeShare
  /** Answers that are read while they are sent. */
  streams: TakeShare
  /** Pages of many records. */
  pages: TakeShare
  /** Messages of networks that are larger than any of one device. */
  messages: TakeShare
}

/**
 * One large body of an organization's tree is read and handled at a time. It is awaited before the
 * body is read: whoever waits holds none of it in memory. After one that took long to read others
 * have four times as long before the next.
 */
export function awaitBodyShare({ bodies }: Shares) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (!isMember(request.caller) || length <= bodyLimits.usual) return
    await takeShareFor(reply, bodies, request.caller.rootId, () => request.readingTime * 4)
  }
}

/** Bytes; the largest message of one device is a few kilobytes. */
const largeMessage = 16 * 1024

/**
 * One large message of a root organization, which `rootOf` tells from its address and its secret, is
 * read and handled at a time. Whoever knows the address alone keeps nobody waiting. Like `awaitBodyShare` before it is read: 200 connections with 200 kB each, of whatever
 * content, took all the time that there was. A network hears 503, after which it may repeat.
 */
export function awaitMessageShare<S>(
  { messages }: Shares,
  rootOf: NonNullable<OpenEndpoint<S>['rootOf']>,
  services: S,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (length <= largeMessage) return
    const { params, headers } = request
    const rootId = await rootOf(params as Record<string, string>, headers, services)
    await takeShareFor(reply, messages, rootId).catch(() => {
      throw unavailable(2)
    })
  }
}

/** Records of a page from which on it counts as large. */
const largePage = 100

/** A heavy read, or a page of many records, waits for the one before it of its organization's tree. */
export async function awaitReadShare<S>(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint<S>,
  shares: Shares,
): Promise<void> {
  if (!isMember(request.caller)) return
  const { itemsPerPage } = request.query as Record<string, unknown>
  const isPage = endpoint.query !== undefined && Number(itemsPerPage) > largePage
  const share = endpoint.isHeavy ? shares.streams : isPage ? shares.pages : undefined
  if (share) await takeShareFor(reply, share, request.caller.rootId)
}

export function isMember(caller: Caller | Session | undefined): caller is Caller {
  return caller !== undefined && 'organizationId' in caller
}

/**
 * Takes a share for a request, and gives it back when its answer is sent or its client is gone;
 * `rest` says then how many milliseconds later.
 */
async function takeShareFor(
  reply: FastifyReply,
  take: TakeShare,
  key: number,
  rest: () => number = () => 0,
): Promise<void> {
  const gone = new AbortController()
  let giveBack: GiveBack | undefined
  finished(reply.raw, () => {
    gone.abort()
    giveBack?.(rest())
  })
  giveBack = await take(key, gone.signal)
  if (gone.signal.aborted) giveBack()
}

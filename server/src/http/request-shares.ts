import { finished } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AnyEndpoint,
  bodyLimits,
  type Caller,
  type OpenEndpoint,
  type Session,
} from './endpoint.ts'
import { tooManyRequests, unavailable } from './errors.ts'

/** Of what is dear each organization's tree has one at a time; its further requests wait. */
export interface RequestShares {
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
export function awaitBodyShare({ bodies }: RequestShares) {
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
  { messages }: RequestShares,
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
  shares: RequestShares,
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

/** Gives the share back, once; `rest` milliseconds later, where others are to come first. */
type GiveBack = (rest?: number) => void

/** Waits for the share of `key`; `signal` ends the wait. */
type TakeShare = (key: number, signal: AbortSignal) => Promise<GiveBack>

/**
 * One at a time for each key, `waiting` more in line, first come, first served, for at most
 * `patience` milliseconds. Throws a 429 for those beyond: their own requests are what they wait for.
 */
export function createRequestShares({
  waiting,
  patience,
}: {
  waiting: number
  patience: number
}): TakeShare {
  /** Who waits, of keys whose share is taken. */
  const lines = new Map<number, Set<() => void>>()
  const pass = (key: number) => {
    const line = lines.get(key)
    const [next] = line ?? []
    if (!line || !next) return lines.delete(key)
    line.delete(next)
    return next()
  }
  const makeGiveBack = (key: number): GiveBack => {
    let isBack = false
    return (rest = 0) => {
      if (isBack) return
      isBack = true
      if (rest > 0) sleep(rest, undefined, { ref: false }).then(() => pass(key))
      else pass(key)
    }
  }
  return async (key, signal) => {
    const line = lines.get(key)
    if (!line) lines.set(key, new Set())
    else if (line.size >= waiting) throw tooManyRequests(1)
    else await wait(line, AbortSignal.any([signal, AbortSignal.timeout(patience)]))
    return makeGiveBack(key)
  }
}

function wait(line: Set<() => void>, end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (end.aborted) return reject(tooManyRequests(1))
    const turn = () => {
      end.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      line.delete(turn)
      reject(tooManyRequests(1))
    }
    end.addEventListener('abort', giveUp, { once: true })
    line.add(turn)
  })
}

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

/**
 * Expensive work: each organization's tree has one of each kind at a time, and its further requests
 * wait.
 */
export interface RequestShares {
  /** Bodies larger than usual. */
  bodies: TakeShare
  /** Answers that are read from the database while they are sent. */
  streams: TakeShare
  /** Pages of many records. */
  pages: TakeShare
  /** Messages of networks that are larger than the message of one device. */
  messages: TakeShare
}

/**
 * Reads and handles one large body of an organization's tree at a time. A request waits before its
 * body is read, so it holds none of it in memory. After a body that took long to read, other trees
 * get four times as long before the next one.
 */
export function awaitBodyShare({ bodies }: RequestShares) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (!isMember(request.caller) || length <= bodyLimits.usual) return
    await takeShareFor(reply, bodies, request.caller.rootId, () => request.readingTime * 4)
  }
}

/** In bytes. The largest message of one device has a few kilobytes. */
export const largeMessage = 16 * 1024

/**
 * Reads and handles one large message of a root organization at a time; `rootOf` finds the
 * organization by address and secret, so the address alone is not enough to make others wait. Like
 * `awaitBodyShare`, it waits before the body is read: 200 connections with 200 kB each took all the
 * time there was. Refused networks get 503, after which they may repeat.
 */
export function awaitMessageShare<S>(
  { messages }: RequestShares,
  rootOf: NonNullable<OpenEndpoint<S>['rootOf']>,
  services: S,
) {
  const awaitShare = async (request: FastifyRequest, reply: FastifyReply) => {
    const { params, headers } = request
    const rootId = await rootOf(params as Record<string, string>, headers, services)
    await takeShareFor(reply, messages, rootId).catch(() => {
      throw unavailable(2)
    })
  }
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: (error?: Error) => void,
  ) => {
    const { 'content-length': length, 'content-encoding': encoding } = request.headers
    // Compressed, a small body may be a large message.
    if (encoding === undefined && Number(length) <= largeMessage) done()
    else awaitShare(request, reply).then(() => done(), done)
  }
}

/** The records of a large page, at least. */
const largePage = 100

/** Makes a heavy read or a large page wait for the one before it in its organization's tree. */
export async function awaitReadShare<S>(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint<S>,
  shares: RequestShares,
): Promise<void> {
  if (!isMember(request.caller)) return
  const { itemsPerPage, limit } = request.query as Record<string, unknown>
  const isPage = endpoint.query !== undefined && Number(itemsPerPage ?? limit) > largePage
  const share = endpoint.isHeavy ? shares.streams : isPage ? shares.pages : undefined
  if (share) await takeShareFor(reply, share, request.caller.rootId)
}

export function isMember(caller: Caller | Session | undefined): caller is Caller {
  return caller !== undefined && 'organizationId' in caller
}

/**
 * Takes a share for a request and gives it back when its answer is sent or its client is gone,
 * `rest` milliseconds later.
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

/** Gives the share back, once. With `rest`, others get that many milliseconds first. */
type GiveBack = (rest?: number) => void

/** Waits for the share of `key`. `signal` ends the wait. */
type TakeShare = (key: number, signal: AbortSignal) => Promise<GiveBack>

/**
 * Shares with one holder for each key. `waiting` more wait in line, first come, first served, for
 * at most `patience` milliseconds. Throws a 429 for those beyond, which only the key's own requests
 * can cause.
 */
export function createRequestShares({
  waiting,
  patience,
}: {
  waiting: number
  patience: number
}): TakeShare {
  /** The waiting requests by key; keys without a holder are absent. */
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

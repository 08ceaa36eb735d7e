import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Route } from './endpoint.ts'
import { badRequest, conflict, invalid } from './errors.ts'

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client that does not know
 * whether a POST arrived sends it again under the same key, and gets the first answer again.
 */

const longestKey = 255

/** A request with a key, by hashes: who sent it where under which key, and what it asks for. */
export interface KeyedRequest {
  organizationId: number
  /** SHA-256 of user, method, path and key: requests that share it are one. */
  scope: Buffer
  /** SHA-256 of query and body, which must not change under one key. */
  fingerprint: string
}

export interface Answer {
  status: number
  /** What is sent as JSON. */
  result: unknown
}

/** What becomes of a request: it is handled now, was answered, is being handled, is another one. */
type Beginning =
  | { kind: 'begun'; claim: string }
  | { kind: 'answered'; answer: Answer }
  | { kind: 'busy' }
  | { kind: 'changed' }

/** Remembers first answers; the floors above know where. */
export interface AnswerStore {
  begin(request: KeyedRequest): Promise<Beginning>
  /** Keeps the answer for the time that keys last. */
  finish(request: KeyedRequest, claim: string, answer: Answer): Promise<void>
  /** Forgets the request: it failed, and may be made again. */
  release(request: KeyedRequest, claim: string): Promise<void>
}

/** Every POST of members takes a key, but for streams, which are too large to keep. */
export function takesIdempotencyKey<S>([method, , , endpoint]: Route<S>): boolean {
  return method === 'POST' && endpoint.kind === 'member' && !endpoint.produces
}

/** Handles a request, or repeats the answer that was given to it before. */
export async function answerOnce(
  store: AnswerStore,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const keyed = readKey(request)
  if (!keyed) return handle()
  const beginning = await store.begin(keyed)
  switch (beginning.kind) {
    case 'begun':
      return handleAndKeep(store, request, { keyed, claim: beginning.claim }, handle)
    case 'answered':
      reply.header('idempotent-replayed', 'true')
      return beginning.answer
    case 'busy':
      throw conflict('A request with this Idempotency-Key is still being handled.', 1)
    case 'changed':
      throw invalid({
        'Idempotency-Key': ['The Idempotency-Key was used for another request before.'],
      })
  }
}

/**
 * A failed request is not kept: nothing was changed, and it may succeed when it is made again.
 * Nor does failing to keep an answer fail the request, whose work is done.
 */
async function handleAndKeep(
  store: AnswerStore,
  request: FastifyRequest,
  { keyed, claim }: { keyed: KeyedRequest; claim: string },
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const warn = (err: unknown) => request.log.warn({ err }, 'idempotency key not settled')
  try {
    const answer = await handle()
    await store.finish(keyed, claim, answer).catch(warn)
    return answer
  } catch (error) {
    await store.release(keyed, claim).catch(warn)
    throw error
  }
}

function readKey(request: FastifyRequest): KeyedRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > longestKey) {
    throw badRequest(`The Idempotency-Key must have 1 to ${longestKey} characters.`)
  }
  const { organizationId, userId } = request.caller as Caller
  const [path = '', query = ''] = request.url.split('?', 2)
  return {
    organizationId,
    scope: hash([userId, request.method, path.replace(/\/+$/, ''), key]),
    fingerprint: hash([query, request.body ?? {}]).toString('hex'),
  }
}

function hash(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

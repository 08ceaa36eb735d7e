import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from './api-key.ts'
import type { Caller, Route } from './endpoint.ts'
import { badRequest, conflict, invalid } from './errors.ts'
import type { ShareUser } from './room.ts'

/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client that does not know
 * whether a POST arrived sends it again under the same key, and gets the first answer again.
 */

const longestKey = 255

/** A request with a key, identified by hashes. */
export interface KeyedRequest extends ShareUser {
  /** SHA-256 of user or API key, method, path and key. Requests with the same scope are one. */
  scope: Buffer
  /** SHA-256 of query and body, which must be the same under one key. */
  fingerprint: string
}

export interface Answer {
  status: number
  /** The JSON of the answer. */
  result: unknown
}

/**
 * How a request goes on: it is handled now, was answered, was answered with more than is kept, is being
 * handled, or differs from the first one.
 */
type Beginning =
  | { kind: 'begun'; claim: string }
  | { kind: 'answered'; answer: Answer }
  | { kind: 'not kept'; status: number }
  | { kind: 'busy' }
  | { kind: 'changed' }

/** Stores first answers; implemented by the floors above. */
export interface AnswerStore {
  begin(request: KeyedRequest): Promise<Beginning>
  /** Stores the answer until the key expires, or makes room for newer ones. */
  finish(request: KeyedRequest, claim: string, answer: Answer): Promise<void>
  /** Removes the request: it failed and may be sent again. */
  release(request: KeyedRequest, claim: string): Promise<void>
}

/** Every POST of members takes a key, except streams, which are too large to store. */
export function takesIdempotencyKey<S>({ method, endpoint }: Route<S>): boolean {
  return method === 'POST' && endpoint.kind === 'member' && !endpoint.produces
}

/** Whether the request changes nothing: it is handled each time, and its answer is not kept. */
export function isTrial<S>({ endpoint }: Route<S>, body: unknown): boolean {
  const { changesNothing = () => false } = endpoint
  return changesNothing === true || changesNothing(body)
}

/** Handles a request, or repeats its first answer. */
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
    case 'not kept':
      throw conflict(
        `This request was done before, with status ${beginning.status}. Its answer was too large to keep.`,
      )
    case 'busy':
      throw conflict('A request with this Idempotency-Key is still being handled.', 1)
    case 'changed':
      throw invalid({
        'Idempotency-Key': ['The Idempotency-Key was used for another request before.'],
      })
  }
}

/**
 * A failed request is not stored: it changed nothing and may succeed when sent again. A request
 * whose answer cannot be stored still succeeds: its work is done.
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
  const caller = request.caller as Caller
  const [path = '', query = ''] = request.url.split('?', 2)
  return {
    organizationId: caller.organizationId,
    tenantId: caller.tenantId,
    scope: hash([actorOf(caller), request.method, path.replace(/\/+$/, ''), key]),
    fingerprint: hash([query, request.body ?? {}]).toString('hex'),
  }
}

function hash(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorize, clientOf } from './authorize.ts'
import {
  type AnyEndpoint,
  type ApiRoute,
  bodyLimits,
  type Caller,
  type RequestContext,
  type Route,
  type Session,
} from './endpoint.ts'
import { HttpError, invalid } from './errors.ts'
import { validate } from './fields.ts'
import { type BeginChange, handleForMember } from './handle-for-member.ts'
import { type AnswerStore, answerOnce, isTrial, takesIdempotencyKey } from './idempotency.ts'
import { inflateBody } from './inflate-body.ts'
import { refuseShadowed } from './other-methods.ts'
import type { ReadQueue } from './read-queue.ts'
import { awaitBodyShare, awaitReadShare, isMember, type RequestShares } from './request-shares.ts'
import { type SendOptions, send } from './send-answer.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { addWarnings, refuseUnknownQuery } from './unknown-members.ts'

export interface MountOptions<S> extends SendOptions<S> {
  /** `/v1`. */
  basePath: string
  answers: AnswerStore
  /** Each tenant has a share of what is expensive. */
  shares: RequestShares
  /** Reads that ask the database for much at once, and all other GETs of members. */
  reads: { wide: ReadQueue; narrow: ReadQueue }
  services: S
  /** Called before a member's request that changes something is handled. */
  beginChange?: BeginChange
}

function isOfApi<S>(route: Route<S>): route is ApiRoute<S> {
  return route.endpoint.kind !== 'message'
}

/**
 * Registers the lines of the route table but for the messages of networks. For other methods, see
 * `explainMissing`.
 */
export function mount<S>(
  app: FastifyInstance,
  routes: readonly Route<S>[],
  options: MountOptions<S>,
) {
  app.decorateRequest('caller')
  for (const route of routes.filter(isOfApi)) mountRoute(app, route, options)
  refuseShadowed(app, routes, options.basePath)
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller | Session | undefined
  }
}

function mountRoute<S>(app: FastifyInstance, route: ApiRoute<S>, options: MountOptions<S>) {
  const { method, url, access, endpoint } = route
  const bodyLimit = endpoint.bodyLimit ?? bodyLimits.usual
  app.route({
    method,
    url: options.basePath + url,
    bodyLimit,
    exposeHeadRoute: method === 'GET' && !endpoint.isAct,
    ...(access === 'public'
      ? {}
      : {
          onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
            request.caller = await authorize(request, reply, route, options)
          },
        }),
    // The rate counts from when the turn of a body has come.
    preParsing: [
      ...(bodyLimit > bodyLimits.usual ? [awaitBodyShare(options.shares)] : []),
      options.slowClients.watchBody,
      inflateBody,
    ],
    handler: (request, reply) => answer(request, reply, route, options),
  })
}

async function answer<S>(
  request: FastifyRequest,
  reply: FastifyReply,
  route: ApiRoute<S>,
  options: MountOptions<S>,
) {
  const { endpoint } = route
  if (route.refusesUnknownQuery) refuseUnknownQuery(endpoint.query, request.query)
  const parts = await readAll(request, endpoint, options)
  const isShared = await awaitReadShare(request, reply, endpoint, options.shares)
  if (isShared) options.slowClients.watchReader(reply.raw)
  const handle = async () => {
    const result =
      endpoint.kind === 'member'
        ? await handleForMember(route, { ...parts, caller: request.caller as Caller }, options)
        : await endpoint.handle(
            {
              ...parts,
              session: request.caller,
              cookie: sessionCookieOf(request, reply, options.publicUrl),
            },
            options.services,
          )
    const isAccepted = endpoint.accepted?.safeParse(result).success ?? false
    const status = isAccepted ? 202 : (endpoint.status ?? 200)
    return { status, result: addWarnings(route, request.body, result) }
  }
  const { caller } = request
  const { isWide } = endpoint
  const { wide, narrow } = options.reads
  // Who has a share is bounded by it, and must not keep it while waiting.
  const queue = isWide ? wide : route.method === 'GET' && !isShared ? narrow : undefined
  const amount = typeof isWide === 'function' ? isWide(parts.body) : 1
  const work =
    queue && isMember(caller)
      ? () => queue.handle({ user: caller, amount, response: reply.raw }, handle)
      : handle
  const takesKey = takesIdempotencyKey(route) && !isTrial(route, parts.body)
  const { status, result } = takesKey
    ? await answerOnce(options.answers, request, reply, work)
    : await work()
  return send(reply, route, { status, result }, options)
}

/** The request's parts. A 422 also names faults that only the services can find. */
async function readAll<S>(
  request: FastifyRequest,
  endpoint: AnyEndpoint<S>,
  options: MountOptions<S>,
) {
  const began = performance.now()
  try {
    const parts = readParts(request, endpoint, options)
    request.readingTime += performance.now() - began
    return parts
  } catch (error) {
    const sent = request.body
    const isReadable = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    if (!(error instanceof HttpError) || !error.errors || !isReadable) throw error
    if (endpoint.kind !== 'member' || !endpoint.alsoWrong) throw error
    const fields = sent as Record<string, unknown>
    const further = await endpoint.alsoWrong(fields, request.caller as Caller, options.services)
    // A field that cannot be read is not reported as missing too.
    throw invalid({ ...error.errors, ...further, ...error.errors })
  }
}

function readParts<S>(request: FastifyRequest, endpoint: AnyEndpoint<S>, options: MountOptions<S>) {
  const [path = '', queryText = ''] = splitOnce(request.url, '?')
  const context: RequestContext = {
    address: options.publicUrl + (path.endsWith('/') ? path.slice(0, -1) : path),
    sentQuery: request.query as Record<string, unknown>,
    queryText,
    ...clientOf(request, options),
    headers: request.headers,
  }
  agreeOnOrganization(request)
  return {
    params: endpoint.params ? validate(endpoint.params, request.params) : undefined,
    query: endpoint.query ? validate(endpoint.query, request.query) : undefined,
    body: readBody(request, endpoint),
    request: context,
  }
}

function readBody<S>(request: FastifyRequest, endpoint: AnyEndpoint<S>): unknown {
  if (!endpoint.body) return undefined
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw invalid({ body: ['The request body must be a JSON object.'] })
  }
  return validate(endpoint.body, body)
}

/** Some clients also send the organization in the query; both must name the same one. */
function agreeOnOrganization(request: FastifyRequest) {
  const { organization } = request.query as Record<string, unknown>
  if (organization === undefined || !isMember(request.caller)) return
  if (organization !== String(request.caller.organizationId)) {
    throw invalid({ organization: ['The organization must agree with the Organization header.'] })
  }
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)]
}

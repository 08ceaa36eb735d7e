import type { FastifyReply, FastifyRequest } from 'fastify'
import { organizationOfKey } from './api-key.ts'
import type { FindClientAddress } from './client-address.ts'
import type { Caller, Client, Reach, Route, Session } from './endpoint.ts'
import { badRequest, tooManyRequests, unauthenticated } from './errors.ts'
import { largestInteger } from './fields.ts'
import type { RateLimiter } from './rate-limit.ts'
import { cookieToken } from './session-cookie.ts'

/**
 * Counts a request of a user or of an API key to an organization (0 for none); throws the 429
 * beyond the limit.
 */
export type Spend = (actor: number | string, organizationId: number, tenant?: TenantLimit) => void

/** A tenant, and how many requests a minute it may send; null: as many as usual. */
interface TenantLimit {
  id: number
  limit: number | null
}

/** What a request asks for, and who sends it. */
export interface AskedRequest {
  /** As in the route table: `GET /devices/:device_id`. */
  operation: string
  access: string
  reach: Reach | undefined
  params: Readonly<Record<string, unknown>>
  /** It is changed where the caller is limited to a group. */
  query: Record<string, unknown>
  client: Client
  spend: Spend
}

/** A request with an API key. */
export interface KeyRequest extends AskedRequest {
  /** As the header names it, 0 where it names none; without the header, the key's own. */
  organizationId: number
}

/** Identifies callers; implemented by the floors above. */
interface Gatekeeper {
  /**
   * The session of a token, or undefined. `mayBeExpired` also accepts a token that can still be
   * exchanged.
   */
  findSession(token: string, mayBeExpired: boolean): Promise<Session | undefined>
  /**
   * @throws HttpError 401 or 403 when the token's user is no member or lacks the access; 404 for a
   * device outside their group.
   */
  admit(token: string, organizationId: number, request: AskedRequest): Promise<Caller>
  /** @throws HttpError 401 or 403 when the key is not valid or may not do this. */
  admitKey(key: string, request: KeyRequest): Promise<Caller>
}

/** What authorizing a request needs. */
export interface EntryOptions {
  gatekeeper: Gatekeeper
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  allowRequest: RateLimiter['allow']
  findClientAddress: FindClientAddress
  /** Milliseconds since 1970. */
  now(): number
}

export async function authorize<S>(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route<S>,
  options: EntryOptions,
): Promise<Caller | Session | undefined> {
  const { access } = route
  if (access === 'public') return undefined
  const token = bearerToken(request) ?? cookieToken(request, options.publicUrl)
  if (token === undefined) throw unauthenticated()
  const spend: Spend = (actor, organizationId, tenant) => {
    spendAllowance(`${actor} ${organizationId}`, reply, options)
    // What one caller has too many of costs the others nothing.
    if (tenant) spendOfTenant(tenant, options)
  }
  const ownOrganization = organizationOfKey(token)
  if (ownOrganization !== undefined) {
    const asked = askedOf(request, route, { client: clientOf(request, options), spend })
    const hasHeader = request.headers.organization !== undefined
    const organizationId = hasHeader ? (organizationHeader(request) ?? 0) : ownOrganization
    return options.gatekeeper.admitKey(token, { ...asked, organizationId })
  }
  if (access === 'refresh' || access === 'token') {
    const session = await options.gatekeeper.findSession(token, access === 'refresh')
    if (!session) throw unauthenticated()
    spend(session.userId, 0)
    return session
  }
  const header = organizationHeader(request)
  if (header !== undefined) {
    const asked = askedOf(request, route, { client: clientOf(request, options), spend })
    return options.gatekeeper.admit(token, header, asked)
  }
  // A wrong token comes first: 401 before the complaint about the header.
  const session = await options.gatekeeper.findSession(token, false)
  if (!session) throw unauthenticated()
  spend(session.userId, 0)
  throw badRequest('The Organization header is required and must be an integer.')
}

function askedOf<S>(
  request: FastifyRequest,
  { operation, access, reach }: Route<S>,
  { client, spend }: Pick<AskedRequest, 'client' | 'spend'>,
): AskedRequest {
  return {
    operation,
    access,
    reach,
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    client,
    spend,
  }
}

function spendAllowance(key: string, reply: FastifyReply, options: EntryOptions) {
  const allowance = options.allowRequest(key, options.now())
  if (!Number.isFinite(allowance.remaining)) return
  const headers = { ratelimit: `"api";r=${allowance.remaining};t=${allowance.resetSeconds}` }
  if (!allowance.isAllowed) throw tooManyRequests(allowance.resetSeconds, headers)
  reply.headers(headers)
}

/** All callers of a tenant together: no single caller sees how much is left. */
function spendOfTenant({ id, limit }: TenantLimit, options: EntryOptions) {
  const allowance = options.allowRequest(`tenant ${id}`, options.now(), limit)
  if (!allowance.isAllowed) throw tooManyRequests(allowance.resetSeconds)
}

export function clientOf(
  request: FastifyRequest,
  options: Pick<EntryOptions, 'findClientAddress'>,
): Client {
  return {
    clientIp: options.findClientAddress(request.raw),
    userAgent: request.headers['user-agent']?.slice(0, 255),
  }
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header === undefined ? undefined : /^Bearer ([\w-]{1,256})$/i.exec(header)?.[1]
}

/** The organization's id; 0 for an id that cannot exist, undefined without an integer. */
function organizationHeader(request: FastifyRequest): number | undefined {
  const header = request.headers.organization
  if (typeof header !== 'string' || !/^\d+$/.test(header)) return undefined
  const id = Number(header)
  return id <= largestInteger ? id : 0
}

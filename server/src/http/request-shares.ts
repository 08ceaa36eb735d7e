import { finished } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AnyEndpoint,
  bodyLimits,
  type Caller,
  type MessageEndpoint,
  type Session,
} from './endpoint.ts'
import { tooManyRequests, unavailable } from './errors.ts'
import type { ShareUser } from './room.ts'

/**
 * Of expensive work, each organization has one of each kind at a time, and each tenant two. Further requests
 * wait.
 */
export interface RequestShares {
  /** Bodies larger than usual. */
  bodies: TakeShare
  /** Answers that are read from the database while they are sent. */
  streams: TakeShare
  /** Pages of many records. */
  pages: TakeShare
}

/**
 * Reads and handles one large body of an organization at a time. A request waits before its body is read,
 * so it holds none of it in memory. After a body that took long to read, others get four times as long
 * before the next one.
 */
export function awaitBodyShare({ bodies }: RequestShares) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (!isMember(request.caller) || length <= bodyLimits.usual) return
    await takeShareFor(reply, bodies, request.caller, () => request.readingTime * 4)
  }
}

/** In bytes. The largest message of one device has a few kilobytes. */
export const largeMessage = 16 * 1024

/**
 * Reads and handles one large message of an organization at a time; `userOf` finds the organization
 * by address and secret, so the address alone is not enough to make others wait. Like
 * `awaitBodyShare`, it waits before the body is read: 200 connections with 200 kB each took all the
 * time there was. Refused networks get 503, after which they may repeat.
 */
export function awaitMessageShare<S>(
  messages: TakeShare,
  userOf: MessageEndpoint<S>['userOf'],
  services: S,
) {
  const awaitShare = async (request: FastifyRequest, reply: FastifyReply) => {
    const { params, headers } = request
    const user = await userOf(params as Record<string, string>, headers, services)
    await takeShareFor(reply, messages, user ?? nobody).catch(() => {
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

/** Whoever sends without a secret that is right. */
const nobody: ShareUser = { organizationId: 0, tenantId: 0 }

/** The records of a large page, at least. */
const largePage = 100

/** Makes a heavy read or a large page wait for its share. Returns whether it has one. */
export async function awaitReadShare<S>(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint<S>,
  shares: RequestShares,
): Promise<boolean> {
  if (!isMember(request.caller)) return false
  const { itemsPerPage, limit } = request.query as Record<string, unknown>
  const isPage = endpoint.query !== undefined && Number(itemsPerPage ?? limit) > largePage
  const share = endpoint.isHeavy ? shares.streams : isPage ? shares.pages : undefined
  if (share) await takeShareFor(reply, share, request.caller)
  return share !== undefined
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
  user: ShareUser,
  rest: () => number = () => 0,
): Promise<void> {
  const gone = new AbortController()
  let giveBack: GiveBack | undefined
  finished(reply.raw, () => {
    gone.abort()
    giveBack?.(rest())
  })
  giveBack = await take(user, gone.signal)
  if (gone.signal.aborted) giveBack()
}

/** Gives the share back, once. With `rest`, others get that many milliseconds first. */
type GiveBack = (rest?: number) => void

/** Waits for the share of `user`. `signal` ends the wait. */
export type TakeShare = (user: ShareUser, signal: AbortSignal) => Promise<GiveBack>

/** Holders of one tenant at a time: no single organization keeps the others of its tenant waiting. */
const mostOfTenant = 2

interface Tenant {
  holders: number
  /** By id, the organization that had its turn longest ago first. */
  organizations: Map<number, Organization>
}

interface Organization {
  isHolding: boolean
  /** The waiting requests. */
  line: Set<() => void>
}

/**
 * Shares with one holder for each organization, and two for each tenant. `waiting` more of an organization
 * wait in line, first come, first served, for at most `patience` milliseconds. Throws a 429 for those
 * beyond, which only the organization's own requests can cause.
 */
export function createRequestShares({
  waiting,
  patience,
}: {
  waiting: number
  patience: number
}): TakeShare {
  const tenants = new Map<number, Tenant>()
  return async (user, signal) => {
    const { tenant, organization } = enter(tenants, user)
    if (organization.line.size >= waiting) throw tooManyRequests(1)
    const isFree = !organization.isHolding && tenant.holders < mostOfTenant
    if (isFree) begin(tenant, organization)
    else {
      const end = AbortSignal.any([signal, AbortSignal.timeout(patience)])
      await wait(organization.line, end).finally(() => forgetIdle(tenants, user))
    }
    const pass = () => {
      organization.isHolding = false
      tenant.holders -= 1
      serve(tenant)
      forgetIdle(tenants, user)
    }
    let isBack = false
    return (rest = 0) => {
      if (isBack) return
      isBack = true
      if (rest > 0) sleep(rest, undefined, { ref: false }).then(pass)
      else pass()
    }
  }
}

function enter(tenants: Map<number, Tenant>, { tenantId, organizationId }: ShareUser) {
  const tenant = tenants.get(tenantId) ?? { holders: 0, organizations: new Map() }
  tenants.set(tenantId, tenant)
  const organization = tenant.organizations.get(organizationId) ?? {
    isHolding: false,
    line: new Set<() => void>(),
  }
  tenant.organizations.set(organizationId, organization)
  return { tenant, organization }
}

function begin(tenant: Tenant, organization: Organization): void {
  organization.isHolding = true
  tenant.holders += 1
}

/** Gives the free places of a tenant to its organizations in turn. */
function serve(tenant: Tenant): void {
  for (const [id, organization] of [...tenant.organizations]) {
    const [next] = organization.line
    if (tenant.holders >= mostOfTenant) return
    if (!next || organization.isHolding) continue
    tenant.organizations.delete(id)
    tenant.organizations.set(id, organization)
    organization.line.delete(next)
    begin(tenant, organization)
    next()
  }
}

function forgetIdle(tenants: Map<number, Tenant>, { tenantId, organizationId }: ShareUser): void {
  const organizations = tenants.get(tenantId)?.organizations
  const own = organizations?.get(organizationId)
  if (own && !own.isHolding && own.line.size === 0) organizations?.delete(organizationId)
  if (organizations?.size === 0) tenants.delete(tenantId)
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

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Queryable } from '../../../db/connect.ts'
import { doTogether } from '../../../db/together.ts'
import type { FindClientAddress } from '../../../http/client-address.ts'
import { HttpError, type Refused } from '../../../http/errors.ts'
import { isMember } from '../../../http/request-shares.ts'
import type { CoreServices } from '../../core-services.ts'
import { type Activity, insertAll } from './activity-queries.ts'

/** A refused request. */
interface Refusal extends Refused {
  address: string
  /** As in the route table: `DELETE /devices/:device_id`. */
  operation: string
  /** The first parameter of the path. */
  subject: string | undefined
  status: number
}

/** Refusals that were counted instead of recorded. */
interface MoreRefusals {
  /** What they have in common: of those beyond the bounds, only the refused. */
  refusal: Refused & Partial<Refusal>
  count: number
}

const windowMilliseconds = 3_600_000
/** Most records an hour that are not counts, of one member or key and of one organization. */
const most = { ofRefused: 10, ofOrganization: 100 }

/** Of one member or key. */
interface RefusedCounts {
  refused: Refused
  /** By operation, status and address. */
  known: Map<string, MoreRefusals>
  /** Beyond the bounds. */
  others: number
}

interface OrganizationCounts {
  start: number
  recorded: number
  refused: Map<string, RefusedCounts>
}

/**
 * Decides which refusals are recorded: in each hour the first of a member or key at a route, from an
 * address, with a status. Further ones are counted until the hour is over. The members and keys of
 * organizations bound what it keeps.
 */
export function createRefusalCounts() {
  const organizations = new Map<number, OrganizationCounts>()

  /** Whether this one is to be recorded. */
  const take = (refusal: Refusal, now: number): boolean => {
    const { organizationId, userId, key, operation, status, address } = refusal
    const own = organizations.get(organizationId) ?? newCounts(now)
    organizations.set(organizationId, own)
    const name = key ? `key ${key.id}` : `user ${userId}`
    const refused = { organizationId, userId, key }
    const counts = own.refused.get(name) ?? { refused, known: new Map(), others: 0 }
    own.refused.set(name, counts)
    const like = `${operation} ${status} ${address}`
    const known = counts.known.get(like)
    if (known) {
      known.count += 1
      return false
    }
    if (counts.known.size >= most.ofRefused || own.recorded >= most.ofOrganization) {
      counts.others += 1
      return false
    }
    own.recorded += 1
    // The subject is only that of the first.
    counts.known.set(like, { refusal: { ...refusal, subject: undefined }, count: 0 })
    return true
  }
  /** What was counted in the hours that are over, or until now at the end of the process. */
  const empty = (now: number, isEnd = false): MoreRefusals[] => {
    const over = [...organizations].filter(
      ([, { start }]) => isEnd || now - start >= windowMilliseconds,
    )
    for (const [organizationId] of over) organizations.delete(organizationId)
    return over.flatMap(([, { refused }]) => [...refused.values()].flatMap(toCounted))
  }
  return { take, empty }
}

function newCounts(start: number): OrganizationCounts {
  return { start, recorded: 0, refused: new Map() }
}

function toCounted({ refused, known, others }: RefusedCounts): MoreRefusals[] {
  const repeated = [...known.values()].filter(({ count }) => count > 0)
  return others > 0 ? [...repeated, { refusal: refused, count: others }] : repeated
}

/** Stores activities; combines what the members of one organization do at the same time. */
function storeTogether(db: Queryable): (activity: Activity) => Promise<void> {
  return doTogether(
    async (activities: readonly Activity[]) => {
      await insertAll(db, activities[0]?.organizationId ?? 0, activities)
      return activities.map(() => undefined)
    },
    ({ organizationId }) => organizationId,
  )
}

/** Between two looks for hours that are over, in milliseconds. */
const interval = 60_000
/** Characters of a parameter. */
const longestSubject = 100

/**
 * Records refused requests of members and API keys of an organization: 401 of a key that has expired,
 * 403, and 404 of whoever is limited to a group. Strangers are only in the security log. No request
 * waits for its record.
 */
export function noteRefusals(
  app: FastifyInstance,
  { db, now, log }: Pick<CoreServices, 'db' | 'now' | 'log'>,
  { basePath, findClientAddress }: { basePath: string; findClientAddress: FindClientAddress },
): void {
  const counts = createRefusalCounts()
  const store = storeTogether(db)
  const storing = new Set<Promise<void>>()
  const record = (refusal: MoreRefusals['refusal'], count?: number) => {
    const { organizationId, userId, key, subject, operation, address, status } = refusal
    const who = { organizationId, userId, key, address, operation, status, now: now() }
    const more = count === undefined ? {} : { count }
    const changes = [{ kind: 'request', action: 'refused', subject, ...more }] as const
    const work = store({ ...who, changes })
      .catch((err) => log.warn({ err, organizationId }, 'a refusal is not recorded'))
      .finally(() => storing.delete(work))
    storing.add(work)
  }
  const empty = (isEnd = false) => {
    for (const more of counts.empty(now().getTime(), isEnd)) record(more.refusal, more.count)
  }
  app.addHook('onError', (request, _reply, error, done) => {
    const refused = error instanceof HttpError ? refusedBy(request, error) : undefined
    if (refused && error instanceof HttpError) {
      empty()
      const refusal = { ...describe(request, basePath), ...refused, status: error.status }
      const full = { ...refusal, address: findClientAddress(request.raw) }
      if (counts.take(full, now().getTime())) record(full)
    }
    done()
  })
  const timer = setInterval(() => empty(), interval).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    empty(true)
    await Promise.all(storing)
  })
}

/** The member or key that is refused; undefined where the organization knows neither. */
function refusedBy({ caller }: FastifyRequest, error: HttpError): Refused | undefined {
  if (error.refused) return error.refused
  if (error.status !== 403 || !isMember(caller)) return undefined
  const { organizationId, userId, key } = caller
  return { organizationId, userId, key }
}

function describe(
  { method, params, routeOptions }: FastifyRequest,
  basePath: string,
): Pick<Refusal, 'operation' | 'subject'> {
  const url = routeOptions.url?.slice(basePath.length) ?? ''
  const [subject] = Object.values((params ?? {}) as Record<string, string>)
  return { operation: `${method} ${url}`, subject: subject?.slice(0, longestSubject) }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FindClientAddress } from '../../http/client-address.ts'
import { HttpError, type Refused } from '../../http/errors.ts'
import { isMember } from '../../http/request-shares.ts'
import type { CoreServices } from '../core-services.ts'
import { createRefusalCounts, type MoreRefusals, type Refusal } from './refusal-counts.ts'
import { storeTogether } from './store-together.ts'

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

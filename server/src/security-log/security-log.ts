import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CoreServices } from '../features/core-services.ts'
import { isEmail } from '../features/people/users/emails.ts'
import { clientNetwork, type FindClientAddress } from '../http/client-address.ts'
import type { CallerKey } from '../http/endpoint.ts'
import { HttpError } from '../http/errors.ts'
import { isMember } from '../http/request-shares.ts'
import { securityEvents } from './security-events.ts'

/**
 * Writes a line for each event of `security-events.ts` and each refusal: who, from where, on what
 * (docs/security-log.md). Of bodies it logs only e-mails, names of things and permissions.
 */
export function logSecurityEvents(
  app: FastifyInstance,
  { log, now }: Pick<CoreServices, 'log' | 'now'>,
  { basePath, findClientAddress }: { basePath: string; findClientAddress: FindClientAddress },
): void {
  const bound = createLogBound()
  const write = (event: string, request: FastifyRequest, more: Details) => {
    const userId = request.caller?.userId ?? more.userId
    const keyId = keyOf(request)?.id ?? more.keyId
    const clientIp = findClientAddress(request.raw)
    const isBounded = more.status !== undefined || userId === undefined
    const caller = keyId ? `key ${keyId}` : String(userId ?? clientNetwork(clientIp))
    const unlogged = isBounded ? bound(caller, now().getTime()) : 0
    if (unlogged === undefined) return
    const target = { ...paramsOf(request), ...more.target }
    const { status, reason, email } = more
    log.info(
      {
        event,
        userId,
        keyId,
        email,
        organizationId: organizationOf(request),
        clientIp,
        target,
        status,
        reason,
        unlogged: unlogged || undefined,
      },
      'security event',
    )
  }
  app.addHook('onRoute', (route) => {
    const operation = `${route.method} ${route.url.slice(basePath.length)}`
    const known = securityEvents[operation]
    if (!known || route.method === 'HEAD') return
    // onResponse would also run, with status 200, when the client leaves before its answer.
    route.onSend = (request, reply, payload, done) => {
      const { statusCode } = reply
      if (statusCode < 300) {
        const event = typeof known.event === 'string' ? known.event : known.event(statusCode)
        write(event, request, { target: known.target?.(bodyOf(request)) })
      }
      done(null, payload)
    }
  })
  app.addHook('onError', (request, _reply: FastifyReply, error, done) => {
    const event = error instanceof HttpError ? failureOf(request, error) : undefined
    if (event !== undefined && error instanceof HttpError) {
      const { userId, keyId, status, message: reason } = error
      const target = { operation: `${request.method} ${request.routeOptions.url}` }
      write(event, request, { userId, keyId, status, reason, target, email: emailOf(request) })
    }
    done()
  })
}

interface Details {
  target: object | undefined
  email?: string | undefined
  /** Of a refusal: the user, the status and the message. */
  userId?: number | undefined
  /** Of a refusal: the API key. */
  keyId?: number | undefined
  status?: number
  reason?: string
}

/** The event of a failed request; undefined when it is none. */
function failureOf(request: FastifyRequest, { status, errors }: HttpError): string | undefined {
  const path = request.routeOptions.url ?? ''
  if (request.method === 'GET' && /\/auth\/session$/.test(path)) return undefined
  if (
    request.method === 'POST' &&
    /\/auth\/(login|session|sign-on|sign-on\/finish|sign-on\/code|passkey\/options)$/.test(path)
  ) {
    if (status === 429) return 'login_blocked'
    const isCode = errors?.authentication_code ?? errors?.recovery_code ?? errors?.passkey
    return status === 401 || isCode ? 'login_failed' : undefined
  }
  if (/\/auth\/password-reset\/confirm$/.test(path)) return errors?.token && 'reset_failed'
  if (/\/auth\/password-reset$/.test(path)) return status === 429 ? 'reset_blocked' : undefined
  const isProof =
    /\/(confirm-password-access|verify-two-factor-authentication|user\/password|user\/passkeys)$/.test(
      path,
    )
  if (isProof && status === 429) return 'proof_blocked'
  if (isProof && (status === 400 || status === 422)) return 'proof_failed'
  return status === 401 || status === 403 ? 'refused' : undefined
}

/** The API key that makes the request, if one does. */
function keyOf({ caller }: FastifyRequest): CallerKey | undefined {
  return isMember(caller) ? caller.key : undefined
}

function organizationOf({ headers: { organization } }: FastifyRequest): number | undefined {
  const isId = typeof organization === 'string' && /^\d{1,10}$/.test(organization)
  return isId ? Number(organization) : undefined
}

/** The e-mail of a login. Other texts are left out: people type passwords into the field. */
function emailOf(request: FastifyRequest): string | undefined {
  const { email } = bodyOf(request)
  return typeof email === 'string' && email.length <= 255 && isEmail(email) ? email : undefined
}

function paramsOf({ params }: FastifyRequest): object {
  const entries = Object.entries((params ?? {}) as Record<string, string>)
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(0, 100)]))
}

function bodyOf({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

const windowMilliseconds = 60_000
/** Most lines a minute, of one caller and of all. */
const most = { ofCaller: 20, ofAll: 300 }

/**
 * Bounds the lines about refused callers. The returned function gives the number of lines left out
 * since the last one, or undefined when this line is to be left out too.
 */
function createLogBound(): (caller: string, now: number) => number | undefined {
  let start = 0
  let total = 0
  let unlogged = 0
  const counts = new Map<string, number>()
  return (caller, now) => {
    if (now - start >= windowMilliseconds) {
      start = now
      total = 0
      counts.clear()
    }
    const count = counts.get(caller) ?? 0
    if (total >= most.ofAll || count >= most.ofCaller) {
      unlogged += 1
      return undefined
    }
    counts.set(caller, count + 1)
    total += 1
    const before = unlogged
    unlogged = 0
    return before
  }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent, type Span, within } from '../traces/span.ts'
import type { Tracer } from '../traces/tracer.ts'
import { isMember } from './request-shares.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span | undefined
  }
}

/** What supervisors and Prometheus ask every few seconds. */
const untraced = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Makes a span of each request, by OpenTelemetry's conventions for HTTP. It has the template of the
 * route and no address: addresses and headers may hold what is secret. Where traces are off, no
 * hook is added.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return
  app.decorateRequest('span')
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request
    if (untraced.has(routeOptions.url ?? '')) return done()
    const route = request.is404 ? undefined : routeOptions.url
    const span = tracer.start({
      name: route ? `${method} ${route}` : method,
      kind: 'server',
      parent: readTraceparent(request.headers.traceparent),
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'lora.request.id': request.id,
      },
    })
    request.span = span
    within(span, done)
  })
  // The body comes by events of the socket, which know nothing of the request.
  app.addHook('preValidation', ({ span }, _reply, done) => (span ? within(span, done) : done()))
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode)
    done()
  })
}

function end({ span, caller, raw }: FastifyRequest, status: number): void {
  if (!span) return
  span.set({
    'http.response.status_code': status,
    'lora.organization.id': isMember(caller) ? caller.organizationId : undefined,
    'lora.request.aborted': raw.aborted || undefined,
  })
  if (status >= 500) span.fail(String(status))
  span.end()
}

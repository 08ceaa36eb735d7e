import type { FastifyInstance } from 'fastify'
import type { MessageRoute, Route } from './endpoint.ts'
import { findUnreadable } from './error-handler.ts'
import { validate } from './fields.ts'
import { inflateBody } from './inflate-body.ts'
import type { MountOptions } from './mount.ts'
import { awaitMessageShare, type TakeShare } from './request-shares.ts'

export interface MessageOptions<S>
  extends Pick<MountOptions<S>, 'basePath' | 'services' | 'slowClients' | 'inspectAnswer'> {
  /** Messages that are larger than that of one device, by organization. */
  shares: TakeShare
  /** The headers of every answer with this id. */
  everyAnswer(id: string): Record<string, string>
}

/**
 * Mounts the endpoints of messages in a scope of their own: the body as bytes, and no hooks of the API.
 * Uplinks come here by the thousand, and each hook and promise costs every one of them.
 */
export function mountMessages<S>(
  app: FastifyInstance,
  routes: readonly Route<S>[],
  options: MessageOptions<S>,
): void {
  const { everyAnswer, slowClients } = options
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, ({ raw }, body, done) => {
      slowClients.leaveBody(raw)
      done(null, body)
    })
    scope.addHook('onRequest', ({ id, raw }, reply, done) => {
      reply.headers(everyAnswer(id))
      // Fastify refuses invalid media types before it looks for a parser.
      raw.headers['content-type'] = 'application/octet-stream'
      done(findUnreadable(raw))
    })
    for (const route of routes.filter(isOfMessages)) mountMessage(scope, route, options)
  })
}

function isOfMessages<S>(route: Route<S>): route is MessageRoute<S> {
  return route.endpoint.kind === 'message'
}

function mountMessage<S>(
  scope: FastifyInstance,
  route: MessageRoute<S>,
  { basePath, services, shares, slowClients, inspectAnswer }: MessageOptions<S>,
): void {
  const { url, endpoint } = route
  scope.route({
    method: 'POST',
    url: basePath + url,
    bodyLimit: endpoint.bodyLimit,
    config: { takesCompressed: true },
    // The rate counts from when the turn of a body has come, and it is inflated then.
    preParsing: [
      awaitMessageShare(shares, endpoint.userOf, services),
      slowClients.watchBody,
      inflateBody,
    ],
    async handler(request, reply) {
      const { headers, query, params, body, url: sentUrl } = request
      const at = sentUrl.indexOf('?')
      const answer = await endpoint.handle(
        {
          params: endpoint.params ? validate(endpoint.params, params) : undefined,
          message: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          request: {
            headers,
            sentQuery: query as Record<string, unknown>,
            queryText: at < 0 ? '' : sentUrl.slice(at + 1),
          },
        },
        services,
      )
      if (answer === undefined) return reply.code(204).send()
      inspectAnswer?.(route, 200, answer)
      return reply.send(answer)
    },
  })
}

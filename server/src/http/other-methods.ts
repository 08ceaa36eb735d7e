import type { FastifyInstance } from 'fastify'
import type { Route } from './endpoint.ts'
import { HttpError } from './errors.ts'

/** Makes the URLs of the table answer 405, with what is allowed, to every method not in it. */
export function refuseOtherMethods<S>(
  app: FastifyInstance,
  routes: readonly Route<S>[],
  basePath: string,
) {
  for (const [url, allowed] of methodsByUrl(routes)) {
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: basePath + url,
      // Before the body is read: its type and size do not matter here.
      onRequest: async () => {
        throw new HttpError(405, 'The method is not allowed for this address.', {
          headers: { allow: allowed.join(', ') },
        })
      },
      handler: async () => undefined,
    })
  }
}

function methodsByUrl<S>(routes: readonly Route<S>[]): Map<string, string[]> {
  const byUrl = new Map<string, string[]>()
  for (const [method, url, , { isAct }] of routes) {
    const more = method === 'GET' && !isAct ? ['GET', 'HEAD'] : [method]
    byUrl.set(url, [...(byUrl.get(url) ?? []), ...more])
  }
  return byUrl
}

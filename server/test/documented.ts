import type { Route } from '../src/http/endpoint.ts'
import { failuresOf } from '../src/http/openapi-responses.ts'
import { routes } from '../src/routes.ts'
import type { Services } from '../src/services.ts'

/** For tests: whether the OpenAPI document lists this status for a request. */
export function isDocumented(method: string, url: string, status: number): boolean {
  const path = url.split('?', 1)[0]?.replace(/(.)\/$/, '$1') ?? ''
  const known = documented.find((each) => each.method === method && each.pattern.test(path))
  // The document lists no statuses for requests without a route.
  return known === undefined || known.statuses.has(status)
}

const documented = [...routes]
  .sort((one, other) => parametersOf(one) - parametersOf(other))
  .map((route) => {
    const { method, url, endpoint } = route
    return {
      method,
      pattern: new RegExp(`^/v1${url.replaceAll(/:\w+/g, '[^/]+')}$`),
      statuses: new Set([
        endpoint.status ?? 200,
        ...(endpoint.accepted ? [202] : []),
        ...(endpoint.mayBeEmpty ? [204] : []),
        ...(endpoint.produces?.type === 'image/*' ? [304] : []),
        ...failuresOf(route),
      ]),
    }
  })

function parametersOf({ url }: Route<Services>): number {
  return url.split(':').length
}

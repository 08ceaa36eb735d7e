import { surfacePlace } from '../scripts/api-surface.ts'
import type { Route } from '../src/http/endpoint.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import type { Services } from '../src/services.ts'
import { addDevice } from './fleet.ts'
import { foundOrganization } from './members.ts'
import { type Described, examplesOf } from './openapi.ts'
import type { Login, TestService } from './service.ts'
import { specialRequests } from './special-requests.ts'
import { createThings, type Thing } from './things.ts'

/** For tests: one request for every row of the route table. The owner has the right to make it. */
export interface ValidRequest {
  /** The path with its parameters, without the base path. */
  path: string
  body?: Record<string, unknown>
  /** The status of the answer. */
  status: number
  /** Makes once what the request needs for success. Returns the values that change. */
  prepare?(): Promise<{ path: string; headers?: Record<string, string> }>
  /** The answer to the same path for the owner of another organization. */
  stranger?: { status: number; message?: string }
}

interface World {
  /** By method and URL, as in the route table. */
  requests: Record<string, ValidRequest>
  /** The owner of another organization. */
  stranger: Login
}

/**
 * Makes another organization, and the things that requests name. A request is derived from its route:
 * the path names a thing that exists, the body is the first example of the API reference, and the
 * answer is a success. `special-requests.ts` has what differs from that.
 */
export async function createWorld(service: TestService): Promise<World> {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const things = createThings(service)
  const special = await specialRequests(service)
  // The device of the examples.
  const ids = new Map<string, string | number>([['device_id', (await addDevice(service, 1)).id]])
  const requests: World['requests'] = {}
  for (const route of routes) {
    const [name] = namesIn(route.url)
    const thing = name === undefined ? undefined : things[name]
    if (name && thing?.make && !ids.has(name)) ids.set(name, await thing.make())
    requests[route.operation] = {
      ...deriveRequest(route, thing, ids.get(name ?? '') ?? 0),
      ...special[route.operation],
    }
  }
  return { requests, stranger }
}

const { paths } = referenceDocument(routes, surfacePlace)

function deriveRequest(
  { method, url, endpoint }: Route<Services>,
  thing: Thing | undefined,
  id: string | number,
): ValidRequest {
  const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const values = (operation?.parameters ?? [])
    .flatMap((each) => ('in' in each && each.in === 'query' ? [each] : []))
    .filter(({ name, required }) => required || name === 'register_method' || name === 'follow')
    .map(({ name, example }) => `${name}=${known[name] ?? example}`)
  const pathOf = (first: string | number) => {
    const path = url.replace(/:\w+/, String(first)).replace(/:\w+/, '0')
    return values.length > 0 ? `${path}?${values.join('&')}` : path
  }
  const content = (operation?.requestBody as Described | undefined)?.content?.['application/json']
  const [example] = content ? examplesOf(content) : []
  const { make, isOnly = false } = thing ?? {}
  return {
    path: pathOf(id),
    ...(example ? { body: example[1] as Record<string, unknown> } : {}),
    // Nothing has the second id of a path.
    status: namesIn(url).length > (make ? 1 : 0) ? 404 : (endpoint.status ?? 200),
    ...(make && (isOnly || method === 'DELETE')
      ? { prepare: async () => ({ path: pathOf(await make()) }) }
      : {}),
    ...(thing ? { stranger: { status: 404, message: thing.notFound } } : {}),
  }
}

/** The parameters of a path; `:id` by the path before it. */
function namesIn(url: string): string[] {
  const [before = ''] = url.slice(1).split('/:', 1)
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => (name === 'id' ? before : name))
}

/** Values of the query. The other organization has no account of a vendor, even after its own PUT. */
const known: Record<string, string> = {
  register_method: 'vendor',
  follow: 'no',
  gateway: 'chirpstack',
  network: 'chirpstack',
  type: 'gateway',
  gatewayType: 'other',
}

import type { Caller, RecordChange, RequestContext, Route } from './endpoint.ts'

/** A member's request whose parts are read. */
interface MemberRequest {
  method: string
  /** As in the route table. */
  url: string
  caller: Caller
  /** Where it comes from. */
  address: string
  params: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
}

/** Gives what records the change of a request; undefined for a route that changes nothing to tell. */
export type BeginChange = (request: MemberRequest) => Promise<RecordChange | undefined>

interface Parts {
  params: unknown
  query: unknown
  body: unknown
  request: RequestContext
  caller: Caller
}

interface HandleOptions<S> {
  services: S
  beginChange?: BeginChange
}

const recordNothing: RecordChange = async () => undefined

/** Handles the request of a member, and gives the handler what records its change. */
export async function handleForMember<S>(
  [method, url, , endpoint]: Route<S>,
  parts: Parts,
  { services, beginChange }: HandleOptions<S>,
): Promise<unknown> {
  const { caller } = parts
  const request = {
    method,
    url,
    caller,
    address: parts.request.clientIp,
    params: toRecord(parts.params),
    body: toRecord(parts.body),
  }
  const begun = method === 'GET' ? undefined : await beginChange?.(request)
  const all = { ...parts, record: begun ?? recordNothing }
  return (endpoint.handle as (parts: unknown, services: S) => unknown)(all, services)
}

function toRecord(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
}

import type { Caller, RequestContext, Route } from './endpoint.ts'

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

/** Gives what is called with the answer of a request that has changed something. */
export type BeginChange = (
  request: MemberRequest,
) => Promise<((answer: unknown) => Promise<void>) | undefined>

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

/** Handles the request of a member, and has it recorded if it changes something. */
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
  const noteDone = method === 'GET' ? undefined : await beginChange?.(request)
  const result = await (endpoint.handle as (parts: Parts, services: S) => unknown)(parts, services)
  await noteDone?.(result)
  return result
}

function toRecord(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
}

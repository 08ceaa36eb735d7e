import type { ChangeRecord } from './change-record.ts'
import type { Caller, RecordChange, RequestContext, Route } from './endpoint.ts'

/** A member's request whose parts are read. */
interface MemberRequest {
  /** As in the route table. */
  operation: string
  change: ChangeRecord
  caller: Caller
  /** Where it comes from. */
  address: string
  params: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
}

/** Gives what records the change of a request. */
export type BeginChange = (request: MemberRequest) => Promise<RecordChange>

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
  { operation, endpoint }: Route<S>,
  parts: Parts,
  { services, beginChange }: HandleOptions<S>,
): Promise<unknown> {
  const { caller } = parts
  const { change = 'untold' } = endpoint
  const record =
    change === 'untold'
      ? undefined
      : await beginChange?.({
          operation,
          change,
          caller,
          address: parts.request.clientIp,
          params: toRecord(parts.params),
          body: toRecord(parts.body),
        })
  const all = { ...parts, record: record ?? recordNothing }
  return (endpoint.handle as (parts: unknown, services: S) => unknown)(all, services)
}

function toRecord(part: unknown): Record<string, unknown> {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
}

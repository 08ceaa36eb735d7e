import type { z } from 'zod'
import type { Queryable } from '../db/connect.ts'
import type { ChangeRecord } from './change-record.ts'
import type { FieldErrors } from './errors.ts'
import type { ShareUser } from './room.ts'
import type { SessionCookie } from './session-cookie.ts'

/** Permissions a member can hold (docs/contract.txt, 2.17). */
export const permissions = [
  'manage_account',
  'manage_widget_dashboard',
  'manage_devices',
  'manage_gateways',
  'manage_groups',
] as const

export type Permission = (typeof permissions)[number]

/** The valid login of a request's token. */
export interface Session {
  /** Of an API key, its id below zero, which no session has. */
  sessionId: number
  userId: number
  tokenHash: Buffer
}

/** The API key that a request has instead of a login (docs/api-keys.md). */
export interface CallerKey {
  id: number
  name: string
}

/**
 * A signed-in member of the organization that the `Organization` header selects; or an API key of
 * it, with its own permissions, and with the user who made it.
 */
export interface Caller extends Session {
  organizationId: number
  /** The organization's tenant, whose share of queues and limits the request uses. */
  tenantId: number
  isOwner: boolean
  permissions: readonly Permission[]
  /**
   * The devices in this group and below it are all that there is for the caller; undefined: all
   * (`features/people/api-keys/keep-to-group.ts`).
   */
  groupId?: number | undefined
  /** As `groupId`: the devices with this tag (`key`, or `key:value`). */
  tag?: string | undefined
  key?: CallerKey
}

/**
 * Records the change that a request makes, in the transaction that makes it, as its last statement.
 * `answer`: what the record says about the handler's answer (`change` of the endpoint).
 */
export type RecordChange = (tx: Queryable, answer?: object) => Promise<void>

/** What a handler may need of the request beyond its parts. */
export interface RequestContext {
  /** Absolute URL of the request without its query, from the configured public URL. */
  address: string
  /** The query as sent. */
  sentQuery: Record<string, unknown>
  /** The query as text, without the question mark. */
  queryText: string
  clientIp: string
  /** The `User-Agent` header. */
  userAgent: string | undefined
  headers: Record<string, string | string[] | undefined>
}

/** The sender of a request, as far as known. */
export type Client = Pick<RequestContext, 'clientIp' | 'userAgent'>

/**
 * A request and its answer for the API reference; a test checks both against the schemas. Needed
 * only where it tells more than the example that is composed from the fields (`examples.ts`).
 */
export interface Example<A = unknown> {
  /** A short name that differs from the others (`confirm`). */
  name: string
  /** As sent, by parameter. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  answer?: A
}

/**
 * An answer other than JSON: a streamed file, a piece of HTML, or a stream of events, for which the
 * handler returns a `Follow` of `event-stream.ts`.
 */
export type Production =
  | {
      type: 'text/csv; charset=utf-8' | 'application/x-ndjson; charset=utf-8'
      fileName: string
      example: string
    }
  | { type: 'text/html; charset=utf-8'; example: string }
  | { type: 'text/event-stream; charset=utf-8'; example: string }
  /** The handler returns an `ImageAnswer`. */
  | { type: 'image/*'; example: string }

/** An image, and the mark of its version. */
export interface ImageAnswer {
  type: string
  etag: string
  bytes: Buffer
}

interface Shape<P, Q, B, A, C> {
  /** One line for the API reference. */
  summary: string
  /** Further text of the API reference, in Markdown. */
  description?: string
  examples?: readonly Example<NoInfer<A>>[]
  params?: z.ZodType<P>
  query?: z.ZodType<Q>
  body?: z.ZodType<B>
  /** The answer of a success; absent where it is empty or not JSON. */
  answer?: z.ZodType<A>
  /** 200 by default. */
  status?: 200 | 201 | 202 | 204
  /** The answer of a request that is accepted and waits for somebody else (202). */
  accepted?: z.ZodType<C>
  /** A success may have no answer: then it is 204, whatever `status` says. */
  mayBeEmpty?: true
  /** Bytes of the largest request body; `bodyLimits.usual` by default. */
  bodyLimit?: number
  /** A POST of a trial, a preview or a read: it is done each time, whatever its `Idempotency-Key`. */
  changesNothing?: true | ((body: B) => boolean)
  /** How the organization's activity reports a success; `untold` for what it does not report. */
  change?: ChangeRecord | 'untold'
  /** A GET that does more than read. HEAD is not answered. */
  isAct?: true
  /**
   * The answer may have many megabytes. It is written in pieces, with other requests in between.
   */
  isLarge?: true
  /** Reads so much that each tenant has one such request at a time; others wait. */
  isHeavy?: true
  /**
   * Asks the database for much at once, as one question or as many as it says. A process answers so many of
   * an organization at the same time; others wait for their turn.
   */
  isWide?: true | ((body: B) => number)
  /** The answer is not JSON. */
  produces?: Production
  /** Statuses of failures beyond those that the access and the request's parts imply. */
  failures?: readonly number[]
}

interface Parts<P, Q, B> {
  params: P
  query: Q
  body: B
  request: RequestContext
}

export type MessageContext = Pick<RequestContext, 'sentQuery' | 'queryText' | 'headers'>
type MessageParts<P> = { params: P; message: Buffer; request: MessageContext }

/** An endpoint for members of an organization. */
export interface Endpoint<S, P = unknown, Q = unknown, B = unknown, A = unknown, C = unknown>
  extends Shape<P, Q, B, A, C> {
  kind: 'member'
  /**
   * Further faults of the fields that can be read. Called when `body` refuses other fields, so that
   * one answer names all faults.
   */
  alsoWrong?(sent: Record<string, unknown>, caller: Caller, services: S): Promise<FieldErrors>
  handle(
    parts: Parts<P, Q, B> & { caller: Caller; record: RecordChange },
    services: S,
  ): Promise<A | NoInfer<C>>
}

/** An endpoint outside organizations: login and logout. */
export interface OpenEndpoint<S, P = unknown, Q = unknown, B = unknown, A = unknown>
  extends Shape<P, Q, B, A, unknown> {
  kind: 'open'
  handle(
    parts: Parts<P, Q, B> & { session: Session | undefined; cookie: SessionCookie },
    services: S,
  ): Promise<A | undefined>
}

/** An endpoint for the messages of networks and gateways, by the thousand: see mount-messages.ts. */
export interface MessageEndpoint<S, P = unknown, Q = unknown, A = unknown>
  extends Shape<P, Q, unknown, A, unknown> {
  kind: 'message'
  bodyLimit: number
  /**
   * The organization whose message comes to this address; undefined where the secret is missing or
   * wrong. Large messages of an organization are read one at a time.
   */
  userOf(
    params: Record<string, string>,
    headers: RequestContext['headers'],
    services: S,
  ): Promise<ShareUser | undefined>
  /** How a sender proves itself to the handler, as OpenAPI writes it. */
  security: { name: string; description: string; scheme: object }
  handle(parts: MessageParts<P>, services: S): Promise<A | undefined>
}

export type AnyEndpoint<S> = Endpoint<S> | OpenEndpoint<S> | MessageEndpoint<S>

/**
 * The three ways to write an endpoint. Handlers are given `Core`; one that needs more names the type
 * of its second parameter.
 */
export function endpointsFor<Core>() {
  return {
    endpoint<P, Q, B, A, C = never, S extends Core = Core>(
      definition: Omit<Endpoint<S, P, Q, B, A, C>, 'kind'>,
    ) {
      return { kind: 'member', ...definition } as Endpoint<S, P, Q, B, A, C>
    },
    openEndpoint<P, Q, B, A, S extends Core = Core>(
      definition: Omit<OpenEndpoint<S, P, Q, B, A>, 'kind'>,
    ) {
      return { kind: 'open', ...definition } as OpenEndpoint<S, P, Q, B, A>
    },
    messageEndpoint<P, Q, A, S extends Core = Core>(
      definition: Omit<MessageEndpoint<S, P, Q, A>, 'kind'>,
    ): MessageEndpoint<S, P, Q, A> {
      return { kind: 'message', ...definition }
    },
  }
}

/**
 * Who may call: anybody; a token that can still be exchanged, expired or not; a valid token; a
 * member; a member with that permission.
 */
type MemberAccess =
  | 'signed-in'
  | 'manage_devices'
  | 'manage_gateways'
  | 'manage_groups'
  | 'manage_account'
  | 'manage_widget_dashboard'
type OpenAccess = 'public' | 'refresh' | 'token'

/**
 * What members' endpoints are for API keys, and for a member or a key that is limited to a group. For a
 * key that is limited to a tag it is the same, by the parameter `tag` and `tag` of the caller.
 *
 * The first seven take API keys. To a limited caller they are:
 * - `all`: refused, because the endpoint may show any device.
 * - `one device`: `:device_id` must be in the group or below it, or it does not exist for the caller.
 * - `one group`: `:group_id` must be the group or below it too. The handler shows nothing of the
 *   groups above. A group also has devices without a tag, so a key with one is refused.
 * - `by group`: the parameter `group` of the list, which includes the groups below, is set to the
 *   caller's group; what the client sends must be below that. The endpoint gives nothing of other
 *   devices.
 * - `group tree`: the handler keeps to `groupId` of the caller; a key with a tag is refused.
 * - `kept`: the handler keeps to `groupId` and `tag` of the caller.
 * - `no devices`: open, because the answer says nothing of devices.
 *
 * The others take the login of a person:
 * - `person`: refused to a limited member.
 * - `own login`: open to a limited member. It is about the caller, and says nothing of devices.
 */
export type Reach =
  | 'all'
  | 'one device'
  | 'one group'
  | 'by group'
  | 'group tree'
  | 'kept'
  | 'no devices'
  | 'person'
  | 'own login'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** All that is known of a route. `endpoint` says how it is read, how much it weighs and what it changes. */
interface RouteRecord<A, R, E> {
  method: Method
  /** Below the base path, with parameters as `:device_id`. */
  url: string
  /** Method and URL: `GET /devices/:device_id`. */
  operation: string
  access: A
  reach: R
  /** Its name in generated clients, which never changes. */
  operationId: string
  /** The heading of the API reference that it stands under. */
  section: string
  /** The contract's own endpoints, and those that networks call, ignore unknown parameters. */
  refusesUnknownQuery: boolean
  endpoint: E
}

// biome-ignore lint/suspicious/noExplicitAny: the table mixes endpoints of every input type
type AnyMemberEndpoint<S> = Endpoint<S, any, any, any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyOpenEndpoint<S> = OpenEndpoint<S, any, any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyMessageEndpoint<S> = MessageEndpoint<S, any, any, any>

/** Taken by mount-messages.ts. */
export type MessageRoute<S> = RouteRecord<'public', undefined, AnyMessageEndpoint<S>>
/** Taken by mount.ts. */
export type ApiRoute<S> =
  | RouteRecord<MemberAccess, Reach, AnyMemberEndpoint<S>>
  | RouteRecord<OpenAccess, undefined, AnyOpenEndpoint<S>>

export type Route<S> = ApiRoute<S> | MessageRoute<S>

/** A line of the route table: method, URL, access, reach, name for clients, endpoint. */
export type RouteLine<S> =
  | readonly [Method, string, MemberAccess, Reach, string, AnyMemberEndpoint<S>]
  | readonly [Method, string, OpenAccess, '-', string, AnyOpenEndpoint<S>]
  | readonly ['POST', string, 'public', '-', string, AnyMessageEndpoint<S>]

/** The routes of one section of the table. */
export function routesOf<S>(section: string, lines: readonly RouteLine<S>[]): Route<S>[] {
  return lines.map(
    ([method, url, access, reach, operationId, endpoint]) =>
      ({
        method,
        url,
        operation: `${method} ${url}`,
        access,
        reach: reach === '-' ? undefined : reach,
        operationId,
        section,
        refusesUnknownQuery: endpoint.kind === 'member',
        endpoint,
      }) as Route<S>,
  )
}

/** Bytes of the largest request bodies. Routes use `usual` by default. */
export const bodyLimits = {
  usual: 64 * 1024,
  /** Logins and other proofs of identity, which are read before the caller is known. */
  proof: 8 * 1024,
  /** A message of a network, usually a few kilobytes. */
  callback: 256 * 1024,
  /** The source of a codec: 256 KiB, and more when escaped as JSON. */
  codec: 1024 * 1024,
  /** Batches of items. */
  batch: 5 * 1024 * 1024,
} as const

import { AsyncLocalStorage } from 'node:async_hooks'

/** Values of a span that are worth a search. None holds a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** What names a span, here and in other programs (W3C Trace Context, 3.2). */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the spans of this trace are sent. */
  readonly isSampled: boolean
}

/** `server` answers a request, `client` makes one, `internal` is work in between. */
export type SpanKind = 'internal' | 'server' | 'client'

/** What is known of a span when it begins. */
export interface SpanStart {
  name: string
  kind?: SpanKind
  attributes?: Attributes
  /** The span that this one is a part of; otherwise the one that is under way here. */
  parent?: SpanContext | undefined
  /** Other spans that this one serves too. */
  links?: readonly SpanContext[]
  /** Milliseconds; a shorter span is left out, if it is no failure and no other span is a part of it. */
  least?: number
}

/** One piece of work, from its beginning to its end. */
export interface Span {
  readonly context: SpanContext
  /** `open` until its end, then whether it is sent. */
  readonly state: 'open' | 'sent' | 'left out'
  rename(name: string): void
  set(attributes: Attributes): void
  /** `kind` is a word such as a class of errors or a status: messages may hold what is secret. */
  fail(kind: string): void
  end(): void
}

/** A span that has ended, as it is sent. Times are milliseconds since 1970, with fractions. */
export interface EndedSpan extends SpanContext {
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly begunAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly links: readonly SpanContext[]
  readonly failure: string | undefined
}

const underWay = new AsyncLocalStorage<Span>()

/** The span that the present work is a part of. */
export function currentSpan(): Span | undefined {
  return underWay.getStore()
}

/** Runs `work` as a part of the span. */
export function within<T>(span: Span, work: () => T): T {
  return underWay.run(span, work)
}

/** For each line of the log: the trace that it belongs to. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const context = underWay.getStore()?.context
  return context ? { traceId: context.traceId, spanId: context.spanId } : {}
}

/** Reads `traceparent` (W3C Trace Context, 3.2.2); undefined where there is none that is valid. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined
  const found = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header)
  const [, version, traceId = '', spanId = '', flags = '', rest] = found ?? []
  if (!found || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

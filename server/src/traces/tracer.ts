import { randomFillSync } from 'node:crypto'
import {
  currentSpan,
  type EndedSpan,
  type Span,
  type SpanContext,
  type SpanStart,
  within,
} from './span.ts'
import type { SpanQueue } from './span-queue.ts'

/** Makes spans. Where traces are off, `run` does its work and nothing else. */
export interface Tracer {
  /** Asked where the service is quick, before what a span tells is put together. */
  readonly isOn: boolean
  start(what: SpanStart): Span
  /** Runs `work` in a span of its own, which fails with it. */
  run<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** Spans since the start: those that a collector took, and those that were lost. */
  counts(): { sent: number; dropped: number }
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

/** Which traces are sent: `ratio` of those that begin here, and of the others as `follows` says. */
export interface Sampling {
  /** From 0 to 1. */
  ratio: number
  /** Whether a trace that another program has begun is sent as that one has decided. */
  follows: boolean
}

const noContext = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), isSampled: false }
const noSpan: Span = {
  context: noContext,
  state: 'left out',
  rename() {},
  set() {},
  fail() {},
  end() {},
}

/** Traces are off. */
export const noTraces: Tracer = {
  isOn: false,
  start: () => noSpan,
  run: (_what, work) => work(noSpan),
  counts: () => ({ sent: 0, dropped: 0 }),
  close: async () => undefined,
}

/** Makes spans, and queues those that end for the collector. */
export function createTracer(queue: SpanQueue, sampling: Sampling): Tracer {
  const start = (what: SpanStart) => openSpan(what, sampling, queue.add)
  return {
    isOn: true,
    start,
    async run(what, work) {
      const span = start(what)
      try {
        return await within(span, () => work(span))
      } catch (error) {
        span.fail(error instanceof Error ? error.name : 'error')
        throw error
      } finally {
        span.end()
      }
    },
    counts: queue.counts,
    close: queue.close,
  }
}

/** Spans that others are a part of: these are never left out. */
const parents = new WeakSet<SpanContext>()

function openSpan(what: SpanStart, sampling: Sampling, add: (span: EndedSpan) => void): Span {
  const { parent, cause } = findParent(what)
  const context = makeContext(parent, what.parent !== undefined, sampling)
  if (parent) parents.add(parent)
  const begunAt = performance.timeOrigin + performance.now()
  const links = [...(what.links ?? []), ...(cause ? [cause] : [])]
  let { name, attributes } = what
  let failure: string | undefined
  let state: Span['state'] = 'open'
  const end = () => {
    if (state !== 'open') return
    state = 'left out'
    const endedAt = performance.timeOrigin + performance.now()
    const isShort = endedAt - begunAt < (what.least ?? 0)
    if (!context.isSampled || (isShort && failure === undefined && !parents.has(context))) return
    const { kind = 'internal' } = what
    state = 'sent'
    add({
      ...context,
      parentId: parent?.spanId,
      name,
      kind,
      begunAt,
      endedAt,
      attributes: attributes ?? {},
      links,
      failure,
    })
  }
  return {
    context,
    get state() {
      return state
    },
    rename(to) {
      name = to
    },
    set(more) {
      attributes = { ...attributes, ...more }
    },
    fail(kind) {
      failure = kind
    },
    end,
  }
}

/**
 * Work goes on after the span in which it began, as a loop that a request wakes. It is then a trace
 * of its own, with a link to what has caused it.
 */
function findParent(what: SpanStart): { parent?: SpanContext; cause?: SpanContext } {
  if (what.parent) return { parent: what.parent }
  const around = currentSpan()
  if (!around) return {}
  if (around.state === 'open') return { parent: around.context }
  return around.state === 'sent' ? { cause: around.context } : {}
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** From bytes that are drawn together: a call of the generator for each id took half of a span's time. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}

function makeContext(
  parent: SpanContext | undefined,
  isGiven: boolean,
  { ratio, follows }: Sampling,
): SpanContext {
  const spanId = randomHex(8)
  if (parent) {
    // A trace of another program, or a span of this one, which has decided already.
    const isSampled = follows || !isGiven ? parent.isSampled : isChosen(parent.traceId, ratio)
    return { traceId: parent.traceId, spanId, isSampled }
  }
  const traceId = randomHex(16)
  return { traceId, spanId, isSampled: isChosen(traceId, ratio) }
}

/** By the last bits of the id, so that several programs choose the same traces (W3C Level 2, 2.2). */
function isChosen(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 >= 1 - ratio
}

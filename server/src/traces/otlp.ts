import type { Attributes, EndedSpan, SpanKind } from './span.ts'

/*
 * OTLP in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and trace.proto of
 * opentelemetry-proto 1.x. Ids are hexadecimal, 64-bit numbers are texts.
 */

/** Path below the endpoint, and the type of its body. */
export const tracesPath = '/v1/traces'
export const otlpType = 'application/json'

/** `SpanKind` of trace.proto. */
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
/** `Status.StatusCode` of trace.proto. */
const failed = 2

/** The body of one request, `ExportTraceServiceRequest`. */
export function writeOtlp(
  resource: Attributes,
  scope: { name: string; version: string },
  spans: readonly EndedSpan[],
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: writeAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(writeSpan) }],
      },
    ],
  })
}

function writeSpan(span: EndedSpan) {
  const { traceId, spanId, parentId, name, kind, attributes, links, failure } = span
  return {
    traceId,
    spanId,
    ...(parentId ? { parentSpanId: parentId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(span.begunAt),
    endTimeUnixNano: toNanoseconds(span.endedAt),
    attributes: writeAttributes(failure ? { ...attributes, 'error.type': failure } : attributes),
    ...(links.length > 0
      ? { links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })) }
      : {}),
    status: failure ? { code: failed, message: failure } : {},
  }
}

/** In two parts: a double does not hold the nanoseconds since 1970. */
function toNanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${BigInt(whole) * 1_000_000n + BigInt(Math.floor((milliseconds - whole) * 1e6))}`
}

function writeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: writeValue(value) }],
  )
}

function writeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

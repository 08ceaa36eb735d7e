import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import packageFile from '../../../package.json' with { type: 'json' }
import { otlpType, writeOtlp } from './otlp.ts'
import type { EndedSpan } from './span.ts'
import { createSpanQueue, type Delivery } from './span-queue.ts'
import type { TraceSettings } from './trace-settings.ts'
import { createTracer, type Tracer } from './tracer.ts'

interface Log {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

/** Milliseconds for one request, as OpenTelemetry's OTEL_EXPORTER_OTLP_TIMEOUT has by default. */
const deadline = 10_000
/** What is read of an answer, in bytes. */
const mostBytes = 64 * 1024
/** Answers after which the same request is worth another try (OTLP, "Retryable Response Codes"). */
const passing = new Set([429, 502, 503, 504])

/** A tracer that sends spans to the collector of the settings. */
export function startTracer({ url, headers, resource, sampling }: TraceSettings, log: Log): Tracer {
  const { host } = new URL(url)
  const scope = { name: packageFile.name, version: packageFile.version }
  const own = {
    'service.version': packageFile.version,
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    ...resource,
  }
  const send = (spans: readonly EndedSpan[]) =>
    post(url, headers, writeOtlp(own, scope, spans)).catch((error) => ({
      outcome: 'later' as const,
      rejected: 0,
      reason: String(error?.code ?? error?.name ?? 'no reason'),
    }))
  const tell = (isWell: boolean, reason: string) =>
    isWell
      ? log.info({ host }, 'the collector takes traces again')
      : log.warn({ host, reason }, 'the collector takes no traces')
  return createTracer(createSpanQueue({ send, tell }), sampling)
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Delivery> {
  const answer = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': otlpType },
    body,
    signal: AbortSignal.timeout(deadline),
  })
  const text = await readBeginning(answer.body)
  const { statusCode } = answer
  const reason = `it answered ${statusCode}`
  if (statusCode >= 200 && statusCode < 300) {
    return { outcome: 'taken', rejected: readRejected(text), reason }
  }
  return { outcome: passing.has(statusCode) ? 'later' : 'never', rejected: 0, reason }
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** `ExportTracePartialSuccess`: spans that the collector did not want. */
function readRejected(text: string): number {
  try {
    return Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}

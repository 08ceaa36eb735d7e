import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../db/connect.ts'
import { unauthenticated } from '../../../http/errors.ts'
import { hashOfSecret } from '../../accounts/connections/callback-secret.ts'
import type { CoreServices } from '../../core-services.ts'
import { type MetricHead, type MetricRow, metrics, readMetrics } from './metric-queries.ts'
import { joinProcesses, processMetrics } from './process-metrics.ts'

/**
 * Prometheus' text format 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics with their rows, which are in the same order, as Prometheus reads them. */
function formatMetrics(
  metrics: readonly MetricHead[],
  rows: readonly (readonly MetricRow[])[],
): string {
  const lines = metrics.flatMap(({ name, help, type }, at) => {
    const samples = (rows[at] ?? []).map((row) => formatSample(name, row))
    return [
      `# HELP ${name} ${escapeText(help)}`,
      `# TYPE ${name} ${type}`,
      // The buckets of a histogram have an order of their own.
      ...(type === 'histogram' ? samples : samples.sort()),
    ]
  })
  return `${lines.join('\n')}\n`
}

function formatSample(metric: string, { value, part, ...labels }: MetricRow): string {
  const name = part === undefined ? metric : `${metric}_${part}`
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapeText(String(text)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length > 0 ? `${name}{${pairs.join()}} ${value}` : `${name} ${value}`
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

type MetricServices = Pick<CoreServices, 'db' | 'now'>

type TokenHash = Buffer

/** Milliseconds that an answer is kept, so that frequent scrapes do not reach the database. */
const keptFor = 10_000

/** Serves Prometheus at `/metrics`. Without a token there is nothing at this address. */
export function serveMetrics(
  app: FastifyInstance,
  services: MetricServices,
  token: string | undefined,
): void {
  if (token === undefined) return
  const hash = hashOfSecret(token)
  const readText = createMetricsReader(services)
  app.get('/metrics', async (request, reply) => {
    if (!isProven(request.headers.authorization, hash)) throw unauthenticated()
    return reply.type(metricsType).send(await readText())
  })
}

/** Compares hashes, which have one length, in constant time. */
function isProven(authorization: string | undefined, hash: TokenHash): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return sent !== undefined && timingSafeEqual(hashOfSecret(sent), hash)
}

/** Scrapes at the same time share one reading. A failed reading is not kept. */
function createMetricsReader({ db, now }: MetricServices): () => Promise<string> {
  let kept: { text: Promise<string>; readAt: number } | undefined
  return () => {
    const age = now().getTime() - (kept?.readAt ?? Number.NEGATIVE_INFINITY)
    // A clock that was set back does not keep an answer for longer.
    if (kept && age >= 0 && age < keptFor) return kept.text
    const reading = {
      text: readMetrics(db).then((rows) => formatMetrics(metrics, rows)),
      readAt: now().getTime(),
    }
    kept = reading
    reading.text.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading.text
  }
}

interface AddressOptions {
  host: string
  port: number
  /** What a reader has to send; undefined if everyone who reaches the address may read. */
  tokenHash: TokenHash | undefined
  db: Database
  now(): Date
  /** The rows of each part of the service, by its name. */
  readParts(): Promise<Record<string, MetricRow[][]>>
}

/** Serves only `/metrics`, with the numbers of each process and those of the whole service. */
export async function openMetricsAddress(
  options: AddressOptions,
): Promise<{ stop(): Promise<void> }> {
  const readWhole = createMetricsReader(options)
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return end(response, 404)
    const { tokenHash } = options
    if (tokenHash && !isProven(request.headers.authorization, tokenHash)) return end(response, 401)
    Promise.all([readWhole(), options.readParts()])
      .then(([whole, parts]) => {
        response.writeHead(200, { 'content-type': metricsType })
        response.end(whole + formatMetrics(processMetrics, joinProcesses(parts)))
      })
      .catch(() => end(response, 503))
  })
  server.listen({ host: options.host, port: options.port })
  await once(server, 'listening')
  return {
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 401 ? { 'www-authenticate': 'Bearer' } : {}).end()
}

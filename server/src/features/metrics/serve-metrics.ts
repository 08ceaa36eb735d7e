import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { unauthenticated } from '../../http/errors.ts'
import { hashOfSecret } from '../connections/callback-secret.ts'
import type { CoreServices } from '../core-services.ts'
import { metrics, readMetrics } from './metric-queries.ts'
import { formatMetrics, metricsType } from './metrics-text.ts'

type MetricServices = Pick<CoreServices, 'db' | 'now'>

export type TokenHash = Buffer

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
export function isProven(authorization: string | undefined, hash: TokenHash): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return sent !== undefined && timingSafeEqual(hashOfSecret(sent), hash)
}

/** Scrapes at the same time share one reading. A failed reading is not kept. */
export function createMetricsReader({ db, now }: MetricServices): () => Promise<string> {
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

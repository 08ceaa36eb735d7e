import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Database } from '../../db/connect.ts'
import type { MetricRow } from './metric-queries.ts'
import { formatMetrics, metricsType } from './metrics-text.ts'
import { joinProcesses, processMetrics } from './process-metrics.ts'
import { createMetricsReader, isProven, type TokenHash } from './serve-metrics.ts'

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

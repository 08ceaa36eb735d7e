import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../http/endpoint.ts'
import { pageHeaders, pathPrefixOf } from '../http/html.ts'
import { referenceDocument } from './reference-document.ts'

interface ReferenceOptions {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  /** `/v1`. */
  basePath: string
}

/** How long the script of the page may take to load. */
const loadMilliseconds = 30_000

/**
 * Serves the OpenAPI document at `/openapi.json`, and at `/docs` a page to read it and try it. Each
 * file is made at its first request and kept in memory with its ETag. The page asks no other host
 * for anything.
 *
 * Without plugins of Fastify: @fastify/static serves files, and there are none on disk;
 * @fastify/etag 6 does not read lists in If-None-Match; @fastify/compress 9 would zip the script of
 * 4 MB at every request.
 */
export function serveReference<S>(
  app: FastifyInstance,
  routes: readonly Route<S>[],
  options: ReferenceOptions,
): void {
  const document = once(async () =>
    keep(Buffer.from(JSON.stringify(referenceDocument(routes, options)))),
  )
  const page = once(async () => keep(Buffer.from(pageHtml(options))))
  const script = once(async () => keep(await loadViewer(), 'gzip'))
  app.get('/openapi.json', async (request, reply) =>
    send(request, reply.type('application/json; charset=utf-8'), await document()),
  )
  app.get('/docs', async (request, reply) => send(request, reply.headers(headers), await page()))
  app.get('/docs/viewer.js', async (request, reply) =>
    send(request, reply.type('text/javascript; charset=utf-8'), await script()),
  )
}

/** The viewer styles its elements inline; it needs no `eval`. */
const headers = pageHeaders(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
)

function pageHtml({ publicUrl, basePath }: ReferenceOptions): string {
  const prefix = pathPrefixOf(publicUrl)
  const configuration = {
    url: `${prefix}/openapi.json`,
    servers: [{ url: prefix + basePath }],
    authentication: { preferredSecurityScheme: 'token' },
    documentDownloadType: 'direct',
    hideClientButton: true,
    showDeveloperTools: 'never',
    // Everything that would call other hosts: fonts, telemetry, a proxy, an assistant.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
  }
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>LoRa fleet API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page needs JavaScript. The document is at
      <a href="${prefix}/openapi.json">openapi.json</a>.</noscript>
    <script id="api-reference" data-configuration="${escapeAttribute(configuration)}"></script>
    <script src="${prefix}/docs/viewer.js"></script>
  </body>
</html>
`
}

function escapeAttribute(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
}

/** Runs `make` at the first call and keeps its result. After a failure the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

interface Kept {
  content: Buffer
  /** The encoding of the content; for clients that do not take it the content is decoded. */
  encoding: 'gzip' | undefined
  etag: string
}

function keep(content: Buffer, encoding?: 'gzip'): Kept {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 27)
  // Weak, because both encodings have the same one.
  return { content, encoding, etag: `W/"${hash}"` }
}

function send(request: FastifyRequest, reply: FastifyReply, { content, encoding, etag }: Kept) {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  if (encoding) reply.header('vary', 'accept-encoding')
  if (isKnown(request, etag)) return reply.code(304).send()
  if (!encoding) return reply.send(content)
  if (/\bgzip\b/.test(String(request.headers['accept-encoding']))) {
    return reply.header('content-encoding', encoding).send(content)
  }
  return reply.send(createGunzip().end(content))
}

function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim())
  return known?.some((each) => each === '*' || each === etag) ?? false
}

function loadViewer(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./openapi-viewer.ts', import.meta.url))
    const timer = setTimeout(() => {
      reject(new Error('the script of the API reference did not load in time'))
      worker.terminate().catch(reject)
    }, loadMilliseconds)
    worker.once('message', (script: Uint8Array) => resolve(Buffer.from(script)))
    worker.once('error', reject)
    worker.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the thread of the API reference ended with ${code} and no script`))
    })
  })
}

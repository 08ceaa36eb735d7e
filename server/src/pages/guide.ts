import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pageHeaders, pathPrefixOf } from '../http/html.ts'

interface GuideOptions {
  /** The built guide (console/guide/write-guide.ts). */
  directory: string
  /** Where browsers reach the service, without a slash at the end. */
  publicUrl: string
}

/** Its script looks words up in a file of its own, and styles nothing inline. */
const headers = pageHeaders(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
)

/** Serves the guide below `/guide/`, for everybody: it tells nothing of an organization. */
export function serveGuide(app: FastifyInstance, { directory, publicUrl }: GuideOptions): void {
  if (!existsSync(join(directory, 'index.html'))) return
  app.get('/guide', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    // The links of the page are relative.
    if (!path.endsWith('/')) return reply.redirect(`${pathPrefixOf(publicUrl)}/guide/`)
    return reply.headers(headers).send(await readFile(join(directory, 'index.html')))
  })
  app.register(import('@fastify/static'), {
    root: directory,
    prefix: '/guide/',
    preCompressed: true,
    index: false,
    // What is not there is left to the console, which says so to browsers.
    wildcard: false,
    cacheControl: false,
    decorateReply: false,
    setHeaders(reply, path) {
      reply.header('cache-control', 'no-cache')
      if (!/\.html(\.\w+)?$/.test(path)) return
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
    },
  })
}

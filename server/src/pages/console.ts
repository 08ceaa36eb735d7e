import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../http/errors.ts'
import { pathPrefixOf } from '../http/html.ts'
import { type PageTiles, placeTiles, tileOrigin } from './map-tiles.ts'

/** Where `npm run build` writes the console. */
export const consoleDirectory = join(import.meta.dirname, '../../../console/dist')

/** Whether the console is built. */
export function isConsoleBuilt(directory: string): boolean {
  return existsSync(join(directory, 'index.html'))
}

interface ConsoleOptions {
  /** The built console. */
  directory: string
  /** Where browsers reach the service, without a slash at the end. */
  publicUrl: string
  /** The tiles of its maps, which may come from another host; undefined for the outline. */
  readMap(): Promise<PageTiles | undefined>
  /** Sites that may show the page of a link in a frame, by its token. */
  findFrameHosts(token: string): Promise<readonly string[]>
}

const year = 365 * 24 * 3600
const day = 24 * 3600

/** Files at the root, whose names stay: the service worker has to be there to be of the whole console. */
const ownFiles = [
  ['favicon.svg', 'image/svg+xml', day],
  ['manifest.webmanifest', 'application/manifest+json', day],
  ['service-worker.js', 'text/javascript; charset=utf-8', 0],
] as const

/**
 * Serves the web console: its files below `/assets/`, whose names change with their content, and
 * its page at every other address that a browser opens. The page's router shows what belongs there.
 */
export function serveConsole(app: FastifyInstance, options: ConsoleOptions): void {
  const { directory, publicUrl, readMap, findFrameHosts } = options
  const prefix = pathPrefixOf(publicUrl)
  let page: Promise<string> | undefined
  const readPage = () => {
    page ??= readFile(join(directory, 'index.html'), 'utf8').then((html) => place(html, prefix))
    return page
  }
  app.register(import('@fastify/static'), {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply) {
      reply.header('cache-control', `public, max-age=${year}, immutable`)
      // A worker obeys the policy of its own file. That of the map asks no other host: the page does.
      reply.header('content-security-policy', policy({ tiles: undefined, frames: [] }))
    },
  })
  for (const [name, type, age] of ownFiles) {
    app.get(`/${name}`, async (_request, reply) =>
      reply
        .headers({
          'cache-control': age === 0 ? 'no-cache' : `public, max-age=${age}`,
          'content-type': type,
          'content-security-policy': "default-src 'none'",
        })
        .send(await readFile(join(directory, name))),
    )
  }
  app.get('/*', async (request, reply) => {
    reply.header('vary', 'accept')
    const isPage = request.headers.accept?.includes('text/html') ?? false
    if (!isPage && request.url === '/') return whatIsHere(publicUrl)
    if (!isPage || isOfTheService(request.url)) throw notFound('There is nothing at this address.')
    if (isOfGuide(request.url)) reply.code(404)
    const token = /^\/shared\/([\w-]{1,100})\/?(?:\?|$)/.exec(request.url)?.[1]
    const frames = token === undefined ? [] : await findFrameHosts(token).catch(() => [])
    if (token !== undefined) reply.header('x-robots-tag', 'noindex')
    // The page comes without a database too, and says then what is wrong.
    const map = await readMap().catch(() => undefined)
    const html = placeTiles(await readPage(), prefix, map)
    return sendPage(reply, html, { tiles: map && tileOrigin(map), frames })
  })
}

/** For whoever asks with a program, such as `curl`, what there is. */
function whatIsHere(publicUrl: string) {
  return {
    name: 'LoRa fleet console',
    console: `${publicUrl}/`,
    guide: `${publicUrl}/guide/`,
    api: `${publicUrl}/v1`,
    reference: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
  }
}

/** Addresses that never show the console, so that a mistyped one is a 404 for browsers too. */
function isOfTheService(url: string): boolean {
  return /^\/(v1|assets|docs|openapi\.json|livez|readyz|metrics)([/?]|$)/.test(url)
}

/** The guide has pages of its own: the console says that this is none of them. */
function isOfGuide(url: string): boolean {
  return /^\/guide([/?]|$)/.test(url)
}

/** The page under the path of the public URL. */
function place(html: string, prefix: string): string {
  return html
    .replaceAll('="./', `="${prefix}/`)
    .replace('name="base-path" content=""', `name="base-path" content="${prefix}"`)
}

/** Every answer has its own nonce, for the styles that components write while they run. */
function sendPage(reply: FastifyReply, html: string, allowed: Allowed): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(allowed, nonce),
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=(self)',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(html.replaceAll('__NONCE__', nonce))
}

interface Allowed {
  tiles: string | undefined
  frames: readonly string[]
}

/**
 * What the console may load: only its own files and the chosen map tiles. Its reader of QR
 * codes is WebAssembly. Sites show it in a frame where the link of a dashboard names them.
 */
function policy({ tiles, frames }: Allowed, nonce?: string): string {
  const beside = tiles === undefined ? '' : ` ${tiles}`
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    `img-src 'self' data: blob:${beside}`,
    "font-src 'self'",
    `connect-src 'self'${beside}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
  ].join('; ')
}

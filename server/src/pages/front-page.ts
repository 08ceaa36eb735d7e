import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import packageFile from '../../../package.json' with { type: 'json' }
import { notFound } from '../http/errors.ts'
import { pageHeaders, pathPrefixOf } from '../http/html.ts'

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem }`

const headers = pageHeaders(
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
)

/** Shows browsers at `/` what runs here, where the console is not built. Programs, which ask for JSON, get a 404. */
export function serveFrontPage(app: FastifyInstance, publicUrl: string): void {
  const prefix = pathPrefixOf(publicUrl)
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>LoRa fleet console</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>LoRa fleet console</h1>
    <p>Version ${packageFile.version} of the service runs here: one HTTP API over nine LoRa networks.</p>
    <p>The web console is not built here: run <code>npm run build</code>, and start the service again.</p>
    <p>The <a href="${prefix}/docs">API reference</a> shows every endpoint, and tries them out.</p>
  </body>
</html>
`
  app.get('/', async (request, reply) => {
    reply.header('vary', 'accept')
    if (!request.headers.accept?.includes('text/html')) {
      throw notFound('There is nothing at this address.')
    }
    return reply.headers(headers).send(page)
  })
}

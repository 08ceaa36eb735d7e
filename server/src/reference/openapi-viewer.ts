import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/**
 * Runs in a worker thread: hands over the script of the API reference, gzipped. Its package keeps
 * the script as a string of 4 MB inside a module: importing that at start would make every start
 * 0.2 to 0.6 s longer (measured), importing it later would halt every request for as long.
 */
const app = Fastify()
await app.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`the reference's script answered ${statusCode}`)
parentPort?.postMessage(gzipSync(rawPayload))

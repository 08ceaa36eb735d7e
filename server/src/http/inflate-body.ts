import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createUnzip, type Unzip } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import { HttpError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies may be compressed. */
    takesCompressed?: boolean
  }
}

const encodings: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate'])

/**
 * Inflates bodies of routes that take them, and answers 415 to all other encodings. Fastify counts the
 * inflated bytes while they come, and stops at the route's limit: no more is ever in memory.
 */
export const inflateBody: preParsingHookHandler = (request, reply, payload, done) => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') {
    return done(null, payload)
  }
  const { takesCompressed = false } = request.routeOptions.config
  if (!takesCompressed || !encodings.has(encoding)) {
    const known = takesCompressed ? 'gzip, deflate' : 'identity'
    const words = takesCompressed ? 'gzip, deflate or left out' : 'left out'
    const headers = { 'accept-encoding': known }
    return done(new HttpError(415, `The Content-Encoding must be ${words}.`, { headers }))
  }
  return done(null, inflate(payload as Readable, reply.raw))
}

function inflate(payload: Readable, answer: ServerResponse): Readable {
  // Knows both formats by their first bytes.
  const unzip: Unzip & { receivedEncodedLength?: number } = createUnzip()
  // Fastify compares it with the Content-Length.
  unzip.receivedEncodedLength = 0
  payload.on('data', (chunk: Buffer) => {
    unzip.receivedEncodedLength = (unzip.receivedEncodedLength ?? 0) + chunk.length
  })
  payload.on('error', (error) => unzip.destroy(error))
  payload.pipe(unzip)
  // The rest of a refused body is read and dropped, so that the connection can go on.
  answer.once('finish', () => {
    payload.unpipe(unzip)
    unzip.destroy()
    payload.resume()
  })
  return unzip
}

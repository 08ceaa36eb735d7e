import { finished, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { authorize, type EntryOptions } from './authorize.ts'
import type { Caller, ImageAnswer, Production, Route } from './endpoint.ts'
import { forbidden } from './errors.ts'
import { type Follow, type OpenStreams, sendEvents, streamType } from './event-stream.ts'
import type { Answer } from './idempotency.ts'
import { writeJsonPieces } from './json-pieces.ts'
import type { SlowClients } from './slow-clients.ts'

export interface SendOptions<S> extends EntryOptions {
  streams: OpenStreams
  slowClients: SlowClients
  /** For tests: receives every JSON answer of an endpoint before it is sent. */
  inspectAnswer?(route: Route<S>, status: number, answer: unknown): void
}

/** Sends the result of a handler in the form that its endpoint declares. */
export function send<S>(
  reply: FastifyReply,
  route: Route<S>,
  { status, result }: Answer,
  options: SendOptions<S>,
) {
  const { endpoint } = route
  const isEmpty = status === 204 || (endpoint.mayBeEmpty && result === undefined)
  reply.code(isEmpty ? 204 : status)
  if (isEmpty) return reply.send()
  if (endpoint.produces?.type === streamType) return sendStream(reply, route, result, options)
  if (endpoint.produces) return sendOther(reply, endpoint.produces, result, options)
  if (!endpoint.isLarge) {
    options.inspectAnswer?.(route, status, result)
    return reply.send(result)
  }
  const pieces = writeJsonPieces(result)
  const see = (text: string) => options.inspectAnswer?.(route, status, JSON.parse(text))
  reply.type('application/json; charset=utf-8')
  return sendPieces(reply, options.inspectAnswer ? inspected(pieces, see) : pieces, options)
}

/** Milliseconds that sending a whole answer may take. */
const longestSending = 10 * 60_000

/** Pieces are made when there is room for them: a slow client has one or two in memory. */
function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  { slowClients }: Pick<SendOptions<unknown>, 'slowClients'>,
) {
  const { raw } = reply
  // Fastify would read everything and send nothing.
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]))
  slowClients.watchReader(raw)
  const end = setTimeout(() => raw.destroy(), longestSending).unref()
  finished(raw, () => clearTimeout(end))
  return reply.send(Readable.from(pieces, { highWaterMark: 1 }))
}

async function* inspected(pieces: AsyncIterable<string>, see: (text: string) => void) {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    yield piece
  }
  see(text)
}

/** Goes on while the same request would be admitted. The checks do not count as requests. */
function sendStream<S>(
  reply: FastifyReply,
  route: Route<S>,
  result: unknown,
  options: SendOptions<S>,
) {
  const { request } = reply
  if (request.method === 'HEAD') return reply.type(streamType).send(Readable.from([]))
  const uncounted = { ...options, allowRequest: () => unlimited }
  const caller = request.caller as Caller
  options.slowClients.watchReader(reply.raw)
  return sendEvents(reply, result as Follow, {
    streams: options.streams,
    caller,
    async checkAgain() {
      const again = (await authorize(request, reply, route, uncounted)) as Caller
      // The stream was begun for what there was for the caller then.
      const isSame = again.groupId === caller.groupId && again.tag === caller.tag
      if (!isSame) throw forbidden('The limit to a group or a tag has changed.')
    },
  })
}

const unlimited = { isAllowed: true, remaining: Number.POSITIVE_INFINITY, resetSeconds: 0 }

/** A piece of HTML that is opened as a page can load, run and submit nothing. */
const inertPage = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function sendOther(
  reply: FastifyReply,
  produces: Exclude<Production, { type: typeof streamType }>,
  result: unknown,
  options: Pick<SendOptions<unknown>, 'slowClients'>,
) {
  if (produces.type === 'image/*') return sendImage(reply, result as ImageAnswer)
  reply.type(produces.type)
  if (produces.type === 'text/html; charset=utf-8') {
    return reply.header('content-security-policy', inertPage).send(result)
  }
  reply.header('content-disposition', `attachment; filename="${produces.fileName}"`)
  return sendPieces(reply, result as AsyncIterable<string>, options)
}

/** An image is shown by the page that asked for it; opened as a page it does nothing. */
function sendImage(reply: FastifyReply, { type, etag, bytes }: ImageAnswer) {
  const mark = `"${etag}"`
  reply.headers({
    'content-security-policy': `${inertPage}; style-src 'unsafe-inline'; img-src data:; sandbox`,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    etag: mark,
  })
  if (reply.request.headers['if-none-match'] === mark) return reply.code(304).send()
  return reply.type(type).send(bytes)
}

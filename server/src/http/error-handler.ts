import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable, hasLost, isTimeout } from '../db/errors.ts'
import { codeOf, codesOf } from './error-codes.ts'
import { badRequest, HttpError, unavailable } from './errors.ts'

const notInflated = 'The request body is not valid gzip or deflate.'

/** Errors of Fastify and of inflated bodies in the API's words. */
const requestFaults: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The Content-Type must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The request body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The Content-Length does not match the body.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The request body is not valid JSON.'],
  Z_DATA_ERROR: [400, notInflated],
  Z_BUF_ERROR: [400, notInflated],
  FST_ERR_BAD_URL: [400, 'The address is not valid.'],
}

/** Turns an error of a handler into the answer. The cause of a 500 goes to the log only. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const known = asHttpError(error)
  if (!known) {
    request.log.error({ err: error, reqId: request.id }, 'request failed')
    return reply
      .code(500)
      .header('error-code', 'server_error')
      .send({ message: 'Server error.', request_id: request.id })
  }
  // One line for each request of an outage is of use only to who looks for its cause.
  if (isRefusal(error)) request.log.debug({ err: error, reqId: request.id }, 'request refused')
  const { status, message, errors, headers } = known
  return reply
    .code(status)
    .headers({ 'error-code': codeOf(message, status).code, ...headers })
    .send(errors ? { message, errors, ...codesOf(errors, status) } : { message })
}

/** Whether the database did not take the request. */
function isRefusal(error: Error): boolean {
  return error instanceof DatabaseUnavailable || hasLost(error)
}

function asHttpError(error: FastifyError): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (isRefusal(error)) return unavailable(2)
  if (isTimeout(error)) return unavailable(5, 'This took too long. Please try again later.')
  const fault = requestFaults[error.code]
  if (fault) return new HttpError(fault[0], fault[1])
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? new HttpError(status, error.message) : undefined
}

/**
 * The fault of requests that Node's parser accepts but that are invalid: no or several Host headers (RFC
 * 9112, 3.2), or an address whose percent-encoded bytes are not UTF-8.
 */
export function findUnreadable({
  url = '',
  rawHeaders,
  httpVersion,
}: IncomingMessage): HttpError | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return badRequest('The request must have one Host header.')
  }
  return isReadable(url) ? undefined : badRequest('The address is not valid.')
}

function isReadable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    // In a query a single percent sign is taken literally.
    for (const run of url.match(/(?:%[0-9a-f]{2})+/gi) ?? []) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}

/** Errors of Node's parser, by code. All others are 400. */
const faults: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The request body is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to come in.'],
}

/** Answers what never became a request, in the shape of all answers, and ends the connection. */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  // A half-sent answer cannot be replaced.
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy()
    return
  }
  const [status, message] = faults[error.code ?? ''] ?? [400, 'The request is not valid HTTP.']
  const body = JSON.stringify({ message })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${randomUUID()}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Error-Code: ${codeOf(message, status).code}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

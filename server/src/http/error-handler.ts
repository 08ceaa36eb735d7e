import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable, isTimeout } from '../db/errors.ts'
import { HttpError, unavailable } from './errors.ts'

/** Fastify's own complaints about a request, in the API's words. */
const requestFaults: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The Content-Type must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The request body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The Content-Length does not match the body.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The request body is not valid JSON.'],
  FST_ERR_BAD_URL: [400, 'The address is not valid.'],
}

/** Turns whatever a handler threw into the answer; the cause of a 500 goes to the log alone. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const known = asHttpError(error)
  if (!known) {
    request.log.error({ err: error, reqId: request.id }, 'request failed')
    return reply.code(500).send({ message: 'Server error.', request_id: request.id })
  }
  return reply
    .code(known.status)
    .headers(known.headers)
    .send(
      known.errors ? { message: known.message, errors: known.errors } : { message: known.message },
    )
}

function asHttpError(error: FastifyError): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (error instanceof DatabaseUnavailable) return unavailable(2)
  if (isTimeout(error)) return unavailable(5, 'This took too long. Please try again later.')
  const fault = requestFaults[error.code]
  if (fault) return new HttpError(fault[0], fault[1])
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? new HttpError(status, error.message) : undefined
}

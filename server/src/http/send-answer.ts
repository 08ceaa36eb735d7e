import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Production, Route } from './endpoint.ts'
import type { Answer } from './idempotency.ts'
import { writeJsonPieces } from './json-pieces.ts'

/** For tests: sees every JSON answer of an endpoint before it is sent. */
export type InspectAnswer<S> = (route: Route<S>, status: number, answer: unknown) => void

/** Sends what a handler returned, as its endpoint says. */
export function send<S>(
  reply: FastifyReply,
  route: Route<S>,
  { status, result }: Answer,
  inspect?: InspectAnswer<S>,
) {
  const endpoint = route[3]
  const isEmpty = status === 204 || (endpoint.mayBeEmpty && result === undefined)
  reply.code(isEmpty ? 204 : status)
  if (isEmpty) return reply.send()
  if (endpoint.produces) return sendOther(reply, endpoint.produces, result)
  inspect?.(route, status, result)
  // JSON.stringify alone would leave nothing to type.
  if (!endpoint.isLarge) return reply.send(result)
  reply.type('application/json; charset=utf-8')
  return reply.send(Readable.from(writeJsonPieces(result)))
}

/** Opened as a page of its own, a piece of HTML may load, run and submit nothing. */
const inertPage = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function sendOther(reply: FastifyReply, produces: Production, result: unknown) {
  reply.type(produces.type)
  if (produces.type === 'text/html; charset=utf-8') {
    return reply.header('content-security-policy', inertPage).send(result)
  }
  reply.header('content-disposition', `attachment; filename="${produces.fileName}"`)
  return reply.send(Readable.from(result as AsyncIterable<string>))
}

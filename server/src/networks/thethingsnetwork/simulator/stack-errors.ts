import type { FarAnswer } from '../../simulator/far-http.ts'

/** gRPC codes by the HTTP statuses that grpc-gateway makes of them. */
const codes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 409: 6, 429: 8, 500: 13 }

/**
 * A refusal in the form of The Things Stack: a gRPC status whose detail is its own error
 * (pkg/errors/json.go).
 */
export function fail(
  status: number,
  error: string,
  words: string,
  attributes?: Record<string, unknown>,
): FarAnswer {
  const code = codes[status] ?? 2
  const [namespace = '', name = ''] = error.split(':')
  const detail = {
    '@type': 'type.googleapis.com/ttn.lorawan.v3.ErrorDetails',
    namespace,
    name,
    message_format: words,
    ...(attributes ? { attributes } : {}),
    correlation_id: '2e7f786912e946e597894e381d0ad7b0',
    code,
  }
  return { status, body: { code, message: `error:${error} (${words})`, details: [detail] } }
}

export function invalid(field: string, reason: string): FarAnswer {
  return fail(400, 'pkg/errors:validation', `invalid \`${field}\`: ${reason}`)
}

export const done: FarAnswer = { status: 200, body: {} }

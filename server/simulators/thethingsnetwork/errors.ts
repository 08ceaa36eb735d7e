import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer } from '../far-call.ts'

/** The gRPC code of each HTTP status, as grpc-gateway maps them. */
const codes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 409: 6, 429: 8, 500: 13 }
/** FAILED_PRECONDITION; grpc-gateway also maps it to 400. */
export const failedPrecondition = 9

/** An error that is a cause of another error. */
interface StackCause {
  error: string
  format: string
  attributes?: JsonObject
  code?: number
  cause?: StackCause
}

/**
 * A refusal in the form of The Things Stack: a gRPC status whose detail is the stack's own error,
 * with its causes inside (pkg/errors/grpc.go, pkg/ttnpb/errors.go). `{name}` in the format is the
 * name of an attribute.
 */
export function fail(
  status: number,
  error: string,
  format: string,
  inner: Omit<StackCause, 'error' | 'format'> = {},
): FarAnswer {
  const code = inner.code ?? codes[status] ?? 2
  const words = fillIn(format, inner.attributes ?? {})
  const detail = {
    '@type': 'type.googleapis.com/ttn.lorawan.v3.ErrorDetails',
    ...describe({ error, format, ...inner, code }),
  }
  return { status, body: { code, message: `error:${error} (${words})`, details: [detail] } }
}

function describe({ error, format, attributes, cause, code = 3 }: StackCause): JsonObject {
  const [namespace = '', name = ''] = error.split(':')
  return {
    namespace,
    name,
    message_format: format,
    ...(attributes ? { attributes } : {}),
    correlation_id: '2e7f786912e946e597894e381d0ad7b0',
    ...(cause ? { cause: describe(cause) } : {}),
    code,
  }
}

function fillIn(format: string, attributes: JsonObject): string {
  return format.replace(/\{(\w+)\}/g, (place, name: string) => String(attributes[name] ?? place))
}

/**
 * A refusal of a value that breaks the rules of the proto files. Each message on the path to the
 * field reports that the inner one is wrong. The innermost message gives the reason
 * (pkg/ttnpb/*.pb.validate.go).
 */
export function invalid(path: string, reason: string): FarAnswer {
  const { error, format, ...inner } = refuseValue(path.split('.'), reason)
  return fail(400, error, format, inner)
}

function refuseValue([field = '', ...deeper]: string[], reason: string): StackCause {
  const isOuter = deeper.length > 0
  const words = isOuter ? 'embedded message failed validation' : reason
  return {
    error: 'pkg/errors:validation',
    format: 'invalid `{field}`: {reason}',
    attributes: { field, reason: words },
    ...(isOuter ? { cause: refuseValue(deeper, reason) } : {}),
  }
}

export const done: FarAnswer = { status: 200, body: {} }

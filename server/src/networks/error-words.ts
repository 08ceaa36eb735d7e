// Finds the words of an error that name its cause.
import { isObject, type JsonObject } from './message-fields.ts'

/** Reads the members in which most APIs explain an error; undefined for HTML and without words. */
export function readWords(body: unknown): string | undefined {
  if (typeof body === 'string') {
    return body.trimStart().startsWith('<') ? undefined : body || undefined
  }
  if (!isObject(body)) return undefined
  const words = [body.message, body.error_description, body.error, body.detail, body.details]
  const outer = words.find((text): text is string => typeof text === 'string' && text !== '')
  const fields = readFieldErrors(body.errors) ?? readFieldErrors(body.details)
  return [outer, fields].filter(Boolean).join(': ') || undefined
}

/** Lists of `{ field, message }` or of texts, and texts by field. */
function readFieldErrors(errors: unknown): string | undefined {
  if (!isObject(errors) && !Array.isArray(errors)) return undefined
  const words = Array.isArray(errors)
    ? errors.map(readFieldError)
    : Object.entries(errors).map(([field, reasons]) => `${field}: ${[reasons].flat().join(' ')}`)
  return words.filter(Boolean).join('; ') || undefined
}

function readFieldError(error: unknown): string {
  if (typeof error === 'string') return error
  if (!isObject(error)) return ''
  const { field, property, name } = error
  const place = [field, property, name].find((text) => typeof text === 'string')
  const words = [error.message, error.reason, error.description, error.text]
  const reason = words.find((text) => typeof text === 'string')
  return [place, reason].filter(Boolean).join(': ')
}

/** No chain of causes is longer. */
const mostCauses = 20

/**
 * The words of an answer of The Things Stack: a google.rpc.Status whose message is
 * `error:pkg/identityserver:gateway_eui_taken (a gateway with EUI ...)`, and among whose details
 * stands an `ErrorDetails` (api/ttn/lorawan/v3/error.proto) with its causes. Of a validation, only
 * the innermost cause counts: the outer ones name nothing but the message that the field is in
 * (pkg/ttnpb/*.pb.validate.go).
 */
export function readStatusWords(body: unknown): string | undefined {
  const outer = readStatusMessage(body)
  const [details] = isObject(body) && Array.isArray(body.details) ? body.details : []
  if (!isObject(details)) return outer
  let inner = details
  for (let depth = 0; isObject(inner.cause) && depth < mostCauses; depth += 1) inner = inner.cause
  const attributes = isObject(inner.attributes) ? inner.attributes : {}
  const { field, reason } = attributes
  if (typeof reason === 'string' && reason !== '') {
    return typeof field === 'string' && field !== '' ? `${field}: ${reason}` : reason
  }
  const own = inner === details ? undefined : fillIn(inner.message_format, attributes)
  const words = [outer, own === outer ? undefined : own].filter(Boolean).join(': ')
  return words + readMissing(attributes) || undefined
}

function readStatusMessage(body: unknown): string | undefined {
  const message = isObject(body) ? body.message : undefined
  if (typeof message !== 'string') return undefined
  const [, words] = /^error:\S+ \((.+)\)$/s.exec(message) ?? []
  return words ?? message
}

/** `{name}` in the format stands for an attribute (pkg/errors/message_format.go). */
function fillIn(format: unknown, attributes: JsonObject): string | undefined {
  if (typeof format !== 'string' || format === '') return undefined
  return format.replace(/\{(\w+)\}/g, (place, name: string) => String(attributes[name] ?? place))
}

/**
 * The rights that a call lacked, as Go writes a list: `[RIGHT_A RIGHT_B]`
 * (pkg/auth/rights/require.go).
 */
function readMissing({ missing }: JsonObject): string {
  const rights = [missing].flat().flatMap((text) => String(text ?? '').match(/\w+/g) ?? [])
  return rights.length === 0 ? '' : ` (missing: ${rights.join(', ')})`
}

/** What OpenSSL says: `error:0A00010B:SSL routines:name:wrong version number:file.c:84:`. */
const ofOpenSsl = /(?:[0-9A-F]+:)?error:[0-9A-F]{8}:[^:]*:[^:]*:([^:]*)(?::[^:\s]*:\d+:?[^:]*)?/i

const plainWords: readonly (readonly [words: RegExp, plain: string])[] = [
  [
    /wrong version number|packet length too long|http request|unknown protocol/,
    'it does not speak TLS at this port',
  ],
  [/unsupported protocol|alert protocol version/, 'it speaks no version of TLS that is accepted'],
  [/certificate required|bad certificate/, 'it asks for a client certificate'],
  [/handshake failure|no shared cipher/, 'it refused the TLS handshake'],
  [/unrecognized name/, 'it knows no server of this name'],
]

/** The words of an error, without the source files and numbers that OpenSSL adds. */
export function plainReason(text: string): string {
  return text.replace(ofOpenSsl, (_, reason: string) => {
    const [, plain] = plainWords.find(([words]) => words.test(reason)) ?? []
    return plain ?? `TLS failed (${reason.trim() || 'no reason given'})`
  })
}

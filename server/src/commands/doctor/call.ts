import { Agent, request } from 'undici'
import { NetworkError } from '../../networks/network-error.ts'
import { createOutside, type Outside } from '../../networks/outside.ts'

/** Milliseconds for one call. */
const deadline = 8000
const mostBytes = 4096

export interface CallAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The beginning of the body. */
  text: string
  /** Pieces of the body with the milliseconds from the first to each. */
  pieces: { after: number; text: string }[]
  /** Milliseconds since 1970 at which the headers came, and how long they took. */
  at: number
  took: number
}

interface Call {
  method: 'GET' | 'POST' | 'HEAD'
  headers?: Record<string, string>
  body?: string
}

/**
 * The guard of calls to PUBLIC_URL. The operator has set that address, so it may be a local one, as
 * behind a router that leads its own public name back inside.
 */
export function outsideOf({ listed }: { listed: readonly string[] }): Outside {
  const guard = createOutside({ allowsLocal: true, listed })
  return { ...guard, check: () => {} }
}

/** One call through a guard. Redirects are not followed. @throws Error with the reason. */
export async function callOnce(url: string, outside: Outside, call: Call): Promise<CallAnswer> {
  outside.check(new URL(url))
  const agent = new Agent({
    connect: { lookup: outside.lookup, timeout: deadline },
    allowH2: false,
  })
  const start = performance.now()
  try {
    const { statusCode, headers, body } = await request(url, {
      ...call,
      dispatcher: agent,
      signal: AbortSignal.timeout(deadline),
    })
    const took = performance.now() - start
    const at = Date.now()
    const pieces: CallAnswer['pieces'] = []
    let length = 0
    let first: number | undefined
    for await (const chunk of body) {
      first ??= performance.now()
      length += chunk.length
      pieces.push({ after: performance.now() - first, text: chunk.toString('utf8') })
      if (length > mostBytes) break
    }
    const text = pieces.map((piece) => piece.text).join('')
    return { status: statusCode, headers, text, pieces, at, took }
  } catch (error) {
    throw plain(error)
  } finally {
    await agent.destroy()
  }
}

function plain(error: unknown): Error {
  const { cause, name, code, message }: Partial<Error & { code: string }> = Object(error)
  if (cause instanceof NetworkError) return cause
  if (error instanceof NetworkError) return error
  if (name === 'TimeoutError') return new Error(`no answer within ${deadline / 1000} s`)
  return new Error(words[code ?? ''] ?? (message || code || 'no connection'))
}

const words: Record<string, string> = {
  ENOTFOUND: 'its name is not in the DNS',
  EAI_AGAIN: 'the DNS does not answer',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not answered, as behind a firewall',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate between its own and the authority is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** What a failed connection means, by the code of Node. */
export function wordsOf(code: string): string | undefined {
  return words[code]
}

import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * For tests: a provider whose ID tokens are wrong in ways that no real provider can be brought to.
 * All else is as strict as a real one: a code works once, with its verifier and the client's secret.
 */
export interface ForgedProvider {
  issuer: string
  /** Changes the next ID token. */
  forge(change: Forgery): void
  /** The query of the browser's way back, for an address that the service has given. */
  signIn(url: string): string
}

interface Forgery {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** The signature is of another key, or missing. */
  signature?: 'foreign' | 'none'
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startForgedProvider(t: {
  after(end: () => Promise<void>): unknown
}): Promise<ForgedProvider> {
  const own = pair()
  const foreign = pair()
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>()
  let forgery: Forgery = {}
  let issuer = ''

  const idToken = (nonce: string) => {
    const seconds = Math.floor(Date.now() / 1000)
    const { claims, signature } = forgery
    const header = { alg: 'RS256', kid: 'one', ...forgery.header }
    const times = { iat: seconds, exp: seconds + 300 }
    const who = { sub: 'eve', email: 'eve@example.test', email_verified: true, groups: ['all'] }
    const payload = { iss: issuer, aud: 'fleet', nonce, ...times, ...who, ...claims }
    const text = [header, payload].map((part) => encode(JSON.stringify(part))).join('.')
    if (signature === 'none') return `${text}.`
    const key = signature === 'foreign' ? foreign.privateKey : own.privateKey
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
  }

  const exchange = async (request: IncomingMessage) => {
    const form = new URLSearchParams(await read(request))
    const known = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = encode(hash('sha256', form.get('code_verifier') ?? '', 'buffer'))
    const isRight =
      known?.challenge === verifier &&
      known.redirectUri === form.get('redirect_uri') &&
      form.get('client_secret') !== null
    if (!known || !isRight) return { status: 400, body: { error: 'invalid_grant' } }
    const tokens = { access_token: 'any', token_type: 'Bearer', expires_in: 60 }
    return { status: 200, body: { ...tokens, id_token: idToken(known.nonce) } }
  }

  const server = createServer(async (request, response) => {
    const answer = await (async () => {
      if (request.url === '/.well-known/openid-configuration') return metadata(issuer)
      if (request.url === '/token') return exchange(request)
      if (request.url !== '/keys') return { status: 404, body: {} }
      const key = {
        ...own.publicKey.export({ format: 'jwk' }),
        kid: 'one',
        alg: 'RS256',
        use: 'sig',
      }
      return { status: 200, body: { keys: [key] } }
    })()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer,
    forge: (change) => {
      forgery = change
    },
    signIn(url) {
      const asked = new URL(url).searchParams
      const code = randomBytes(16).toString('base64url')
      const nonce = asked.get('nonce') ?? ''
      const challenge = asked.get('code_challenge') ?? ''
      codes.set(code, { nonce, challenge, redirectUri: asked.get('redirect_uri') ?? '' })
      return `${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`
    },
  }
}

function metadata(issuer: string) {
  return {
    status: 200,
    body: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'none'],
      code_challenge_methods_supported: ['S256'],
    },
  }
}

function encode(data: string | Buffer): string {
  return Buffer.from(data).toString('base64url')
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

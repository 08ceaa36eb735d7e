import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { confirmPassword } from './authenticator.ts'
import type { Login, TestService } from './service.ts'

/** For tests: a passkey (ES256), from the standard WebAuthn level 2, without code of the service. */

/** The PUBLIC_URL of services whose users have passkeys. */
export const passkeyUrl = 'https://fleet.example.test'

export type PublicKey = Record<string, unknown> & { challenge: string }

/** What a browser and a passkey do; each can be told to do it wrong. */
interface Ways {
  origin?: string
  host?: string
  challenge?: string
  /** The count that the signature tells; one more than the last by default. */
  counter?: number
  /** Signs with this key instead. */
  key?: KeyObject
  /** How the maker vouches for a new key; "none" by default. */
  format?: string
}

export function createPasskey({ idLength = 32 } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idLength)
  const ids = { id: id.toString('base64url'), rawId: id.toString('base64url') }
  let counter = 0

  function clientData(type: string, options: PublicKey, { origin, challenge }: Ways): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: challenge ?? options.challenge,
        origin: origin ?? passkeyUrl,
        crossOrigin: false,
      }),
    )
  }

  /** Hash of the host, flags, count (6.1); `attested` with a new key. */
  function authenticatorData(ways: Ways, attested?: Buffer): Buffer {
    counter = ways.counter ?? counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = Buffer.from([attested ? 0x45 : 0x05])
    const host = createHash('sha256')
      .update(ways.host ?? new URL(passkeyUrl).hostname)
      .digest()
    return Buffer.concat([host, flags, count, attested ?? Buffer.alloc(0)])
  }

  /** `navigator.credentials.create()`, in JSON. */
  function create(options: PublicKey, ways: Ways = {}) {
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
    const attestation = cborMap([
      [cborText('fmt'), cborText(ways.format ?? 'none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authenticatorData(ways, attested))],
    ])
    return {
      ...ids,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options, ways).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    }
  }

  /** `navigator.credentials.get()`, in JSON. */
  function get(options: PublicKey, ways: Ways = {}) {
    const client = clientData('webauthn.get', options, ways)
    const data = authenticatorData(ways)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      ...ids,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, ways.key ?? privateKey).toString('base64url'),
      },
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    }
  }

  return { id: ids.id, create, get }
}

export type Passkey = ReturnType<typeof createPasskey>

/** The key in COSE (RFC 9053, 7.1): EC2, ES256, P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

/** The token and the options for a new passkey. */
export async function beginPasskey(service: TestService, as: Login, password: string) {
  const token = await confirmPassword(service, as, password)
  const answer = await service.call('POST', '/v1/user/passkeys/options', { as, body: { token } })
  assert.equal(answer.status, 200, answer.text)
  return { token, publicKey: answer.body.data.publicKey as PublicKey }
}

/** Registers a passkey as a person does; returns its id and the recovery codes. */
export async function register(
  service: TestService,
  as: Login,
  password: string,
  { passkey = createPasskey(), name = 'Phone' } = {},
) {
  const { token, publicKey } = await beginPasskey(service, as, password)
  const body = { token, name, credential: passkey.create(publicKey) }
  const answer = await service.call('POST', '/v1/user/passkeys', { as, body })
  assert.equal(answer.status, 201, answer.text)
  const recoveryCodes: string[] | null = answer.body.recovery_codes
  return { passkey, id: answer.body.data.id as number, recoveryCodes }
}

/** What a login asks passkeys to sign. */
export async function askToSign(service: TestService, token: string): Promise<PublicKey> {
  const answer = await service.call('POST', '/v1/auth/passkey/options', {
    as: null,
    body: { token },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.publicKey
}

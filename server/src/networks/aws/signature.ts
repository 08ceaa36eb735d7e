// AWS Signature Version 4: IAM User Guide, "Create a signed AWS API request" (the steps and the
// names in them) and "Authenticating requests: using query parameters" of the S3 API reference.
import { createHash, createHmac } from 'node:crypto'
import type { AwsAccount } from './account.ts'

/** The key, the scope and the time of a signature. */
interface Signing {
  accessKeyId: string
  secretAccessKey: string
  region: string
  service: string
  /** `20260131T235959Z`. */
  time: string
}

/** The parts of a request that are signed. */
interface SignedRequest {
  method: string
  /** As it is sent, encoded. */
  path: string
  /** Decoded. */
  query: Record<string, string>
  /** Those that are signed, by lower-case name. */
  headers: Record<string, string>
  body: string
}

const algorithm = 'AWS4-HMAC-SHA256'

/** In hexadecimal. */
export function signatureOf(request: SignedRequest, signing: Signing): string {
  const canonical = [
    request.method,
    // Every service but S3 encodes the path once more.
    request.path.split('/').map(encode).join('/'),
    queryOf(request.query),
    ...sortedEntries(request.headers).map(([name, value]) => `${name}:${value.trim()}`),
    '',
    Object.keys(request.headers).sort().join(';'),
    digest(request.body),
  ].join('\n')
  const text = [algorithm, signing.time, scopeOf(signing), digest(canonical)].join('\n')
  const { secretAccessKey, region, service, time } = signing
  const key = [time.slice(0, 8), region, service, 'aws4_request'].reduce<Buffer>(
    (parent, part) => hmac(parent, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
  return hmac(key, text).toString('hex')
}

/** An address whose query proves who calls it, for `seconds` from the time of signing. */
function signAddress(url: URL, signing: Signing, seconds: number): string {
  const query = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${signing.accessKeyId}/${scopeOf(signing)}`,
    'X-Amz-Date': signing.time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  }
  const headers = { host: url.host }
  const request = { method: 'GET', path: url.pathname, query, headers, body: '' }
  const signature = signatureOf(request, signing)
  return `${url.protocol}//${url.host}${url.pathname}?${queryOf(query)}&X-Amz-Signature=${signature}`
}

/** The time in the form of signed requests. */
function toSigningTime(now: Date): string {
  return `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function scopeOf({ time, region, service }: Signing): string {
  return `${time.slice(0, 8)}/${region}/${service}/aws4_request`
}

function queryOf(query: Record<string, string>): string {
  return sortedEntries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
}

function sortedEntries(record: Record<string, string>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** RFC 3986: all but letters, digits, and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** How long the address may be used to connect. An open connection does not end with it. */
const validSeconds = 300

/**
 * Signs the address of the account's MQTT broker. AWS IoT takes access keys as a signed WebSocket
 * address (developer guide, "MQTT over WSS": service `iotdevicegateway`); each connection needs a
 * new signature.
 */
export function signBrokerAddress(url: string, account: AwsAccount, now: Date): string {
  const { accessKeyId, secretAccessKey, region } = account
  const time = toSigningTime(now)
  const signing = { accessKeyId, secretAccessKey, region, service: 'iotdevicegateway', time }
  return signAddress(new URL(url), signing, validSeconds)
}

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from './private-file.ts'

/**
 * A sealed value: version (1 byte), key id (4), nonce (12), ciphertext, tag (16). The key id tells
 * a wrong key from damage. Header and context are authenticated with the text.
 */
const version = 1
const headerLength = 5
const nonceLength = 12
const textStart = headerLength + nonceLength
const tagLength = 16
const keyLength = 32

export interface Sealer {
  /**
   * Encrypts `plain` with AES-256-GCM. `context` says where the value lives
   * (`devices.device_key:42`): moved to another row or column, it can't be opened.
   */
  seal(plain: string, context: string): Buffer
  /** @throws SealError when the key or the context is another one, or the value is damaged. */
  open(sealed: Buffer, context: string): string
}

/** A sealed value that can't be opened. Never holds any part of it. */
export class SealError extends Error {
  override name = 'SealError'
  readonly reason: 'wrong key' | 'damaged'

  constructor(reason: 'wrong key' | 'damaged', message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Seals secrets at rest under `key` (32 bytes, see `loadSecretKey`). The nonce is random, which is
 * safe for 2^32 values under one key (NIST SP 800-38D, 8.3).
 */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== keyLength) throw new TypeError(`A sealing key has ${keyLength} bytes.`)
  const keyId = createHash('sha256').update(key).digest().subarray(0, 4)
  const header = Buffer.concat([Buffer.of(version), keyId])
  const secret = createSecretKey(key)

  function seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagLength })
    cipher.setAAD(authenticated(header, context))
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([header, nonce, text, cipher.getAuthTag()])
  }

  // A tree of groups shows the keys of a whole fleet: without a copy more than needed, and with the
  // key made ready once, 100,000 take 0.6 s instead of 0.9 s.
  function open(sealed: Buffer, context: string): string {
    checkHeader(sealed, header, context)
    const nonce = sealed.subarray(headerLength, textStart)
    const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagLength })
    decipher.setAAD(authenticated(header, context))
    decipher.setAuthTag(sealed.subarray(-tagLength))
    const plain = decipher.update(sealed.subarray(textStart, -tagLength))
    try {
      // In this mode it gives no text, but tells whether the text is right.
      decipher.final()
    } catch {
      throw new SealError('damaged', `The secret ${context} is damaged or belongs elsewhere.`)
    }
    return plain.toString('utf8')
  }

  return { seal, open }
}

/** What is authenticated along with a text. */
function authenticated(header: Buffer, context: string): Buffer {
  const data = Buffer.allocUnsafe(headerLength + Buffer.byteLength(context))
  header.copy(data)
  data.write(context, headerLength)
  return data
}

function checkHeader(sealed: Buffer, header: Buffer, context: string): void {
  if (sealed.length < headerLength + nonceLength + tagLength || sealed[0] !== version) {
    throw new SealError('damaged', `The secret ${context} is damaged: it is not a sealed value.`)
  }
  if (sealed.subarray(0, headerLength).equals(header)) return
  const message = `The secret ${context} was sealed with another key: is SECRET_KEY the right one?`
  throw new SealError('wrong key', message)
}

export interface SecretKeySource {
  /** The SECRET_KEY setting: any text of at least 32 characters. */
  readonly secretKey?: string | undefined
  /** An existing directory; the key is kept there in `secret.key` when there is no setting. */
  readonly dataDir: string
}

/**
 * The 32-byte key of this installation: from the setting, else from the file `secret.key`, which
 * the first start makes (two at once get the same). Who loses it loses every sealed secret.
 */
export function loadSecretKey({ secretKey, dataDir }: SecretKeySource): Buffer {
  if (secretKey === undefined) return readOrMakeKeyFile(join(dataDir, 'secret.key'))
  if (secretKey.length < 32) throw new Error('SECRET_KEY must be at least 32 characters long.')
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'lora-fleet-console secret key', keyLength))
}

function readOrMakeKeyFile(path: string): Buffer {
  const known = readKeyFile(path)
  if (known) return known
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writePrivateFile(draft, `${randomBytes(keyLength).toString('base64url')}\n`)
  try {
    // A link, unlike a rename, fails when another process was first, and is never half-written.
    linkSync(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readKeyFile(path)
  if (!made) throw new Error(`The key file ${path} vanished while it was being made.`)
  return made
}

function readKeyFile(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  const key = Buffer.from(text, 'base64url')
  if (key.length !== keyLength || key.toString('base64url') !== text) {
    throw new Error(`${path} holds no key: put the right file back, from a backup for instance.`)
  }
  return key
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sodium from 'libsodium-wrappers'
import { writePrivateFile } from './private-file.ts'

/**
 * A sealed value: version (1 byte), key id (4), nonce, ciphertext, tag (16). The key id tells a
 * wrong key from damage. The context is authenticated with the text.
 *
 * Version 2 is XChaCha20-Poly1305 of libsodium: a tree of groups shows the keys of a whole fleet,
 * and it opens them in about half the time of AES-GCM of node:crypto, which makes an object for each
 * (docs/decisions/0017-sealing.md).
 */
const version = 2
/** AES-256-GCM, which is opened still, and sealed no more. */
const firstVersion = 1
const headerLength = 5
const nonceLength = 24
const textStart = headerLength + nonceLength
const tagLength = 16
const keyLength = 32

await sodium.ready

export interface Sealer {
  /**
   * Encrypts `plain`. `context` says where the value lives (`devices.device_key:42`): moved to
   * another row or column, it can't be opened.
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
 * Seals secrets at rest under `key` (32 bytes, see `loadSecretKey`). The nonce is random, and long
 * enough that none comes twice (draft-irtf-cfrg-xchacha-03, section 2.1).
 */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== keyLength) throw new TypeError(`A sealing key has ${keyLength} bytes.`)
  const keyId = createHash('sha256').update(key).digest().subarray(0, 4)
  const keyNumber = keyId.readUInt32BE(0)

  function seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(nonceLength)
    const encrypt = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt
    const text = encrypt(plain, Buffer.from(context), null, nonce, key)
    return Buffer.concat([Buffer.of(version), keyId, nonce, text])
  }

  function open(sealed: Buffer, context: string): string {
    checkHeader(sealed, keyNumber, context)
    try {
      return sealed[0] === firstVersion
        ? openFirst(sealed, context, key)
        : openText(sealed, context)
    } catch {
      throw new SealError('damaged', `The secret ${context} is damaged or belongs elsewhere.`)
    }
  }

  function openText(sealed: Buffer, context: string): string {
    const nonce = sealed.subarray(headerLength, textStart)
    const text = sealed.subarray(textStart)
    const decrypt = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
    // Buffers are several times as quick as texts, which the library converts itself.
    const plain = decrypt(null, text, Buffer.from(context), nonce, key)
    return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString()
  }

  return { seal, open }
}

/** The first version: a nonce of 12 bytes, and the header is authenticated before the context. */
function openFirst(sealed: Buffer, context: string, key: Buffer): string {
  const header = sealed.subarray(0, headerLength)
  const nonce = sealed.subarray(headerLength, headerLength + 12)
  const text = sealed.subarray(headerLength + 12, -tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
  decipher.setAuthTag(sealed.subarray(-tagLength))
  return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
}

function checkHeader(sealed: Buffer, keyNumber: number, context: string): void {
  const isKnown = sealed[0] === version || sealed[0] === firstVersion
  if (!isKnown || sealed.length < headerLength) {
    throw new SealError('damaged', `The secret ${context} is damaged: it is not a sealed value.`)
  }
  if (sealed.readUInt32BE(1) === keyNumber) return
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

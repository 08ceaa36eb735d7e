import { createDecipheriv, createHash, randomBytes } from 'node:crypto'
import sodium from 'libsodium-wrappers'

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
/** Bytes of a key. */
export const keyLength = 32

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

/** What tells a key from others, in every value that it sealed; it tells nothing of the key. */
export function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 4)
}

/**
 * Seals secrets at rest under `key` (32 bytes, see `secret-keys.ts`), and opens what it or one of
 * the `others` sealed. The nonce is random, and long enough that none comes twice
 * (draft-irtf-cfrg-xchacha-03, section 2.1).
 */
export function createSealer(key: Buffer, ...others: readonly Buffer[]): Sealer {
  const keys = new Map<number, Buffer>()
  for (const each of [key, ...others]) {
    if (each.length !== keyLength) throw new TypeError(`A sealing key has ${keyLength} bytes.`)
    keys.set(keyIdOf(each).readUInt32BE(0), each)
  }
  const keyId = keyIdOf(key)

  function seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(nonceLength)
    const encrypt = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt
    const text = encrypt(plain, Buffer.from(context), null, nonce, key)
    return Buffer.concat([Buffer.of(version), keyId, nonce, text])
  }

  function open(sealed: Buffer, context: string): string {
    const opening = findKey(sealed, keys, context)
    try {
      return sealed[0] === firstVersion
        ? openFirst(sealed, context, opening)
        : openText(sealed, context, opening)
    } catch {
      throw new SealError('damaged', `The secret ${context} is damaged or belongs elsewhere.`)
    }
  }

  return { seal, open }
}

function openText(sealed: Buffer, context: string, key: Buffer): string {
  const nonce = sealed.subarray(headerLength, textStart)
  const text = sealed.subarray(textStart)
  const decrypt = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
  // Buffers are several times as quick as texts, which the library converts itself.
  const plain = decrypt(null, text, Buffer.from(context), nonce, key)
  return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString()
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

function findKey(sealed: Buffer, keys: ReadonlyMap<number, Buffer>, context: string): Buffer {
  const isKnown = sealed[0] === version || sealed[0] === firstVersion
  if (!isKnown || sealed.length < headerLength) {
    throw new SealError('damaged', `The secret ${context} is damaged: it is not a sealed value.`)
  }
  const key = keys.get(sealed.readUInt32BE(1))
  if (key) return key
  const message = `The secret ${context} was sealed with another key: is SECRET_KEY the right one?`
  throw new SealError('wrong key', message)
}

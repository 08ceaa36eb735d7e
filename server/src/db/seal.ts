import { createHash, randomBytes } from 'node:crypto'
import sodium from 'libsodium-wrappers'

/**
 * A sealed value: version (1 byte), key id (4), nonce (24), ciphertext, tag (16). The key id tells a
 * wrong key from damage. The context is authenticated with the text.
 *
 * The cipher is XChaCha20-Poly1305 of libsodium. Showing a tree of groups opens the keys of a whole
 * fleet, and AES-GCM of node:crypto, which makes an object for each value, takes about twice the
 * time (docs/decisions/0017-sealing.md).
 */
const version = 1
const headerLength = 5
const nonceLength = 24
const textStart = headerLength + nonceLength
/** Bytes of a key. */
export const keyLength = 32

await sodium.ready

export interface Sealer {
  /**
   * Encrypts `plain`. `context` names the place of the value (`devices.device_key:42`): a value that
   * is moved to another row or column can't be opened.
   */
  seal(plain: string, context: string): Buffer
  /** @throws SealError when the key or the context is another one, or the value is damaged. */
  open(sealed: Buffer, context: string): string
}

/** A sealed value can't be opened. The error holds no part of the value. */
export class SealError extends Error {
  override name = 'SealError'
  readonly reason: 'wrong key' | 'damaged'

  constructor(reason: 'wrong key' | 'damaged', message: string) {
    super(message)
    this.reason = reason
  }
}

/** The name of a key in every value that it sealed. It tells nothing about the key. */
export function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 4)
}

/**
 * Seals secrets at rest under `key` (32 bytes, see `secret-keys.ts`), and opens what it or one of
 * the `others` sealed. Nonces are random, and so long that none repeats
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
      return openText(sealed, context, opening)
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
  // Buffers are several times faster than strings, which the library converts itself.
  const plain = decrypt(null, text, Buffer.from(context), nonce, key)
  return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString()
}

function findKey(sealed: Buffer, keys: ReadonlyMap<number, Buffer>, context: string): Buffer {
  if (sealed[0] !== version || sealed.length < headerLength) {
    throw new SealError('damaged', `The secret ${context} is damaged: it is not a sealed value.`)
  }
  const key = keys.get(sealed.readUInt32BE(1))
  if (key) return key
  const message = `The secret ${context} was sealed with another key: is SECRET_KEY the right one?`
  throw new SealError('wrong key', message)
}

import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, writePrivateFile } from './files.ts'
import { keyLength } from './seal.ts'
import { SetupError } from './setup-error.ts'

export interface SecretKeySource {
  /** The keys of the SECRET_KEY setting: texts of 32 characters or more. */
  readonly secretKeys: readonly string[]
  /** The directory of the key file `secret.key`. */
  readonly dataDir: string
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

/**
 * The 32-byte keys of this installation: those of the setting in their order, then the key file's.
 * The first seals, all open. Empty when there is none. A lost key takes every secret that it sealed
 * with it.
 */
export function readSecretKeys({ secretKeys, dataDir }: SecretKeySource): Buffer[] {
  const keys = secretKeys.map(derive)
  const filed = readBesideSetting(keyFileOf(dataDir), keys.length > 0)
  return filed ? [...keys, filed] : keys
}

function derive(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'lora-fleet-console secret key', keyLength))
}

/** Ignores an unreadable file when the setting gives a key. */
function readBesideSetting(path: string, isSet: boolean): Buffer | undefined {
  try {
    return readKeyFile(path)
  } catch (error) {
    if (isSet) return undefined
    throw error
  }
}

/** Makes the key file of a new installation. Two starts at once get the same key. */
export function makeKeyFile(dataDir: string): Buffer {
  const path = keyFileOf(dataDir)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writePrivateFile(draft, `${randomBytes(keyLength).toString('base64url')}\n`)
  try {
    // A link, unlike a rename, fails when another process was first.
    linkSync(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
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
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    const why = error instanceof Error ? error.message : String(error)
    throw new SetupError(`The key file ${path} can't be read: ${why}.`)
  }
  const key = Buffer.from(text, 'base64url')
  if (key.length !== keyLength || key.toString('base64url') !== text) {
    throw new SetupError(
      `${path} holds no key: put the right file back, from a backup for instance.`,
    )
  }
  return key
}

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { createConcurrencyLimit } from '../../../http/concurrency-limit.ts'

const derive = promisify(argon2)

/** The cost of one argon2id hash: KiB of memory, passes, lanes. */
interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP Password Storage Cheat Sheet, "Argon2id": 19 MiB, 2 passes, 1 lane. */
const cost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const saltLength = 16
const tagLength = 32

/**
 * Hashes run on libuv's threads, four by default. One thread stays free for files and host names,
 * so a flood of logins cannot block those or use up the memory (19 MiB per hash).
 */
const whenFree = createConcurrencyLimit({
  atOnce: Math.min(2 * availableParallelism(), 3),
  waiting: 100,
})

/**
 * The argon2id hash of a password as a PHC string: neither trimmed nor cut. Systems write a letter with
 * an accent as one character or as two; both are the same password.
 *
 * @throws HttpError 503 when too many hashes are in progress.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength)
  return toPhc(cost, salt, await deriveFreely(password.normalize('NFC'), salt, cost, tagLength))
}

/**
 * Whether the password matches the PHC string. Without one, because nobody has the e-mail, the
 * answer is no and takes as long.
 *
 * @throws HttpError 503 when too many hashes are in progress.
 */
export async function isPassword(password: string, phc: string | undefined): Promise<boolean> {
  const known = readPhc(phc ?? nobodysHash)
  // Hashes of earlier versions are of the form in which the password came.
  for (const form of new Set([password.normalize('NFC'), password, password.normalize('NFD')])) {
    const tag = await deriveFreely(form, known.salt, known.cost, known.tag.length)
    if (timingSafeEqual(tag, known.tag) && phc !== undefined) return true
  }
  return false
}

function deriveFreely(...given: Parameters<typeof deriveTag>) {
  return whenFree(() => deriveTag(...given))
}

function deriveTag(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: Cost,
  length: number,
) {
  return derive('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: length,
  })
}

/** A hash that no password produces, at the usual cost. */
const nobodysHash = toPhc(cost, randomBytes(saltLength), randomBytes(tagLength))

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>` (PHC string format; version 1.3 of RFC 9106). */
function toPhc({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** The cost comes from the string, so a higher cost can be set later and old hashes still work. */
function readPhc(phc: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcPattern.exec(phc) ?? []
  if (!tag) throw new Error('A stored password hash is not an argon2id PHC string.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

import type { Database, Queryable } from '../../../db/connect.ts'
import { createSealer, keyIdOf } from '../../../db/seal.ts'
import {
  keyFileOf,
  makeKeyFile,
  readSecretKeys,
  type SecretKeySource,
} from '../../../db/secret-keys.ts'
import { SetupError } from '../../../db/setup-error.ts'
import { findOtherKey, insertProof, lockProofs, type Proof, readProofs } from './seal-queries.ts'

/**
 * Each row of `seal_proofs` is this text, sealed with a key that the service has run with. A start
 * whose keys do not open all of them is refused: otherwise it would serve and fail at the first
 * secret.
 */
const provenText = 'lora-fleet-console'

function proofContext(keyId: Buffer): string {
  return `seal_proofs.proof:${keyId.toString('hex')}`
}

/**
 * Checks that the keys of this start open the secrets in the database, and stores a proof of the
 * key that seals. Creates the key file when there is no key and nothing is sealed yet.
 * @returns whether secrets may still be sealed with a key other than the first.
 * @throws SetupError that names the missing setting and tells how to go on.
 */
export async function unlockSecrets(
  db: Database,
  source: SecretKeySource,
): Promise<{ hasOlderKeys: boolean }> {
  return db.transaction(async (tx) => {
    await lockProofs(tx)
    const { keys, proofs } = await checkKeys(tx, source)
    const key = keys[0] ?? makeKeyFile(source.dataDir)
    const keyId = keyIdOf(key)
    const hasOlderKeys = proofs.some(({ key_id }) => !key_id.equals(keyId))
    if (!proofs.some(({ key_id }) => key_id.equals(keyId))) {
      const proof = createSealer(key).seal(provenText, proofContext(keyId))
      await insertProof(tx, { key_id: keyId, proof })
    }
    return { hasOlderKeys }
  })
}

/**
 * The configured keys and the stored proofs, each of which one of the keys opens. Without proofs,
 * the sealed values themselves are checked.
 * @throws SetupError as `unlockSecrets`.
 */
export async function checkKeys(
  db: Queryable,
  source: SecretKeySource,
): Promise<{ keys: Buffer[]; proofs: Proof[] }> {
  const keys = readSecretKeys(source)
  const proofs = await readProofs(db)
  const missing =
    proofs.length > 0
      ? proofs.find((proof) => !opens(keys, proof))?.key_id
      : await findOtherKey(db, keys.map(keyIdOf))
  if (missing) throw new SetupError(tellMissing(missing, keys, source))
  return { keys, proofs }
}

function opens(keys: readonly Buffer[], { key_id, proof }: Proof): boolean {
  const key = keys.find((key) => keyIdOf(key).equals(key_id))
  if (!key) return false
  try {
    return createSealer(key).open(proof, proofContext(key_id)) === provenText
  } catch {
    return false
  }
}

function tellMissing(
  missing: Buffer,
  keys: readonly Buffer[],
  { secretKeys, dataDir }: SecretKeySource,
): string {
  const file = keyFileOf(dataDir)
  const sealed = `Secrets in the database are sealed with the key ${missing.toString('hex')}, and`
  if (keys.length === 0) {
    return (
      `${sealed} there is no key: SECRET_KEY is not set, and there is no file ${file}.` +
      ' Set SECRET_KEY to the key that the service had, or put its key file back.'
    )
  }
  const ids = keys.map((key) => keyIdOf(key).toString('hex')).join(', ')
  const given = secretKeys.length === 0 ? `${file} holds` : 'SECRET_KEY gives'
  return (
    `${sealed} ${given} ${ids}. Set SECRET_KEY to the key that the service had, or put its key` +
    ` file back as ${file}. To change the key, name the new one and the old one in SECRET_KEY,` +
    ' separated by a comma, and run "npx --no-install lora-console seal" once the service runs.'
  )
}

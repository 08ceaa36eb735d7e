import type { Database } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import * as pushQueries from './push-queries.ts'

/** The keys by which push services know this installation (RFC 8292). */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

/** Made at the first start, and the same for ever: browsers are bound to the public one. */
export async function readPushKeys(db: Database, sealer: Sealer): Promise<PushKeys> {
  const context = sealContext('pushKey', 1)
  let found = await pushQueries.findKeys(db)
  if (!found) {
    const { generateVAPIDKeys } = (await import('web-push')).default
    const { publicKey, privateKey } = generateVAPIDKeys()
    const sealed_private_key = sealer.seal(privateKey, context)
    await pushQueries.insertKeys(db, { public_key: publicKey, sealed_private_key })
    found = await pushQueries.findKeys(db)
  }
  if (!found) throw new Error('The keys for push messages were not stored.')
  return {
    publicKey: found.public_key,
    privateKey: sealer.open(found.sealed_private_key, context),
  }
}

import type { Queryable } from '../../db/connect.ts'
import type { Arrival, NamedArrival } from './arrival.ts'

/** SQL: a text that changes when the secrets of an account in `accounts` do. */
export const secretsVersion = `encode(accounts.callback_hash, 'hex')
  || accounts.former_callbacks::text || md5(accounts.sealed_secrets)`

/** Returns those arrivals whose accounts have other secrets now than those that proved them. */
export async function findWithdrawn<Some extends Pick<NamedArrival, 'arrival'>>(
  db: Queryable,
  arrivals: readonly Some[],
): Promise<Some[]> {
  const proofs = new Map<string, Arrival>()
  for (const { arrival } of arrivals) {
    if (arrival.proof !== undefined) proofs.set(proofKeyOf(arrival), arrival)
  }
  if (proofs.size === 0) return []
  const proven = [...proofs.values()]
  const withdrawn = await db.query<{ id: number; version: string }>(
    `select given.id, given.version
     from unnest($1::bigint[], $2::text[]) as given(id, version)
     left join network_accounts as accounts on accounts.id = given.id
     where ${secretsVersion} is distinct from given.version`,
    [proven.map(({ account }) => account.id), proven.map(({ proof }) => proof)],
  )
  if (withdrawn.length === 0) return []
  const keys = new Set(withdrawn.map(({ id, version }) => `${id} ${version}`))
  return arrivals.filter(({ arrival }) => keys.has(proofKeyOf(arrival)))
}

function proofKeyOf({ account, proof }: Arrival): string {
  return `${account.id} ${proof}`
}

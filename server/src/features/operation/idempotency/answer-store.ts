import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/connect.ts'
import type { Presence } from '../../../db/presence.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { AnswerStore, KeyedRequest } from '../../../http/idempotency.ts'
import * as keyQueries from './key-queries.ts'

const keptMilliseconds = 24 * 60 * 60 * 1000
/**
 * How long a request may be under way: far longer than any takes. A process that died blocks the key
 * until its last sign of life is over (`db/presence.ts`), and never longer than this. Nobody knows
 * whether it had done the work, so a repeat is handled again. Natural keys (a DevEUI exists once)
 * keep that from doing harm.
 */
const claimMilliseconds = 2 * 60 * 1000
/** Characters of the largest answer that is kept. Of a larger one only the status is. */
const largestAnswer = 64 * 1024
/** Bytes that the keys and answers of an organization, and of a tenant, may have. The oldest go first. */
const mostBytes = { ofOrganization: 16 * 1024 * 1024, ofTenant: 64 * 1024 * 1024 }
/** Bytes that a tenant may store before it is looked whether they are too many. */
const unlookedBytes = 1024 * 1024
/** Rows that one statement removes. */
const removedAtOnce = 10_000

interface Dependencies {
  db: Database
  sealer: Sealer
  now(): Date
  presence: Presence
}

/** Keeps first answers in the database, where every server process can repeat them. */
export function createAnswerStore({ db, sealer, now, presence }: Dependencies): AnswerStore {
  /** Bytes of tenants since the last look. */
  const unlooked = new Map<number, number>()
  const makeRoom = async (tenantId: number, bytes: number) => {
    const sum = (unlooked.get(tenantId) ?? 0) + bytes
    unlooked.set(tenantId, sum)
    if (sum < unlookedBytes) return
    unlooked.delete(tenantId)
    await removeExcess(db, tenantId)
  }
  const newClaim = ({ scope }: KeyedRequest): keyQueries.Claim => {
    const present = now()
    return {
      scope,
      claim: randomUUID(),
      now: present,
      claimedUntil: new Date(present.getTime() + claimMilliseconds),
      claimedBy: presence.id,
      expiresAt: new Date(present.getTime() + keptMilliseconds),
    }
  }
  return {
    async begin(request) {
      const { organizationId, scope, fingerprint } = request
      const mine = newClaim(request)
      const sealedRequest = sealer.seal(
        fingerprint,
        sealContext('idempotentRequest', organizationId, scope),
      )
      if (await keyQueries.claim(db, organizationId, { ...mine, sealedRequest })) {
        return { kind: 'begun', claim: mine.claim }
      }
      const known = await keyQueries.find(db, organizationId, scope, mine.now)
      // The first request failed between the two statements. The next try finds the key free.
      if (!known) return { kind: 'busy' }
      const first = sealer.open(
        known.sealed_request,
        sealContext('idempotentRequest', organizationId, scope),
      )
      if (first !== fingerprint) return { kind: 'changed' }
      if (known.answer_status !== null && known.sealed_answer !== null) {
        const result = JSON.parse(
          sealer.open(known.sealed_answer, sealContext('idempotentAnswer', organizationId, scope)),
        )
        return { kind: 'answered', answer: { status: known.answer_status, result } }
      }
      if (known.answer_status !== null) return { kind: 'not kept', status: known.answer_status }
      if (known.is_claimed) return { kind: 'busy' }
      const claim = { ...mine, previousClaim: known.claim }
      const isTaken = await keyQueries.takeOver(db, organizationId, claim)
      return isTaken ? { kind: 'begun', claim: mine.claim } : { kind: 'busy' }
    },
    async finish(request, claim, { status, result }) {
      // An empty answer (204) has no result.
      const text = JSON.stringify(result ?? null)
      const { organizationId, tenantId, scope } = request
      const sealedAnswer =
        text.length > largestAnswer
          ? null
          : sealer.seal(text, sealContext('idempotentAnswer', organizationId, scope))
      await keyQueries.setAnswer(db, organizationId, { scope, claim, status, sealedAnswer })
      await makeRoom(tenantId, keyQueries.bytesOfKey + (sealedAnswer?.length ?? 0))
    },
    release: ({ organizationId, scope }, claim) =>
      keyQueries.remove(db, organizationId, { scope, claim }),
  }
}

/** Removes expired keys, and the oldest of those who have too many. */
export async function removeOldKeys(
  db: Database,
  now: Date,
  isStopped = () => false,
): Promise<void> {
  while (
    !isStopped() &&
    (await keyQueries.removeExpired(db, now, removedAtOnce)) === removedAtOnce
  ) {}
  if (!isStopped()) await removeExcess(db, undefined)
}

/** An organization of a tenant keeps what it has, up to an even part of what others leave of the bound. */
async function removeExcess(db: Database, tenantId: number | undefined): Promise<void> {
  const sums = await keyQueries.sumBytes(db, tenantId)
  const tenants = Map.groupBy(sums, ({ tenant_id }) => tenant_id)
  for (const organizations of tenants.values()) {
    let left = mostBytes.ofTenant
    let others = organizations.length
    for (const { organization_id, bytes } of organizations.sort((a, b) => a.bytes - b.bytes)) {
      const kept = Math.min(bytes, mostBytes.ofOrganization, Math.floor(left / others))
      if (kept < bytes) await keyQueries.removeOldest(db, organization_id, kept)
      left -= kept
      others -= 1
    }
  }
}

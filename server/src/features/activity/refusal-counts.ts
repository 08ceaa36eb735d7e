import type { Refused } from '../../http/errors.ts'

/** A refused request. */
export interface Refusal extends Refused {
  address: string
  /** As in the route table: `DELETE /devices/:device_id`. */
  operation: string
  /** The first parameter of the path. */
  subject: string | undefined
  status: number
}

/** Refusals that were counted instead of recorded. */
export interface MoreRefusals {
  /** What they have in common: of those beyond the bounds, only the refused. */
  refusal: Refused & Partial<Refusal>
  count: number
}

const windowMilliseconds = 3_600_000
/** Most records an hour that are not counts, of one member or key and of one organization. */
const most = { ofRefused: 10, ofOrganization: 100 }

/** Of one member or key. */
interface RefusedCounts {
  refused: Refused
  /** By operation, status and address. */
  known: Map<string, MoreRefusals>
  /** Beyond the bounds. */
  others: number
}

interface OrganizationCounts {
  start: number
  recorded: number
  refused: Map<string, RefusedCounts>
}

/**
 * Decides which refusals are recorded: in each hour the first of a member or key at a route, from an
 * address, with a status. Further ones are counted until the hour is over. The members and keys of
 * organizations bound what it keeps.
 */
export function createRefusalCounts() {
  const organizations = new Map<number, OrganizationCounts>()

  /** Whether this one is to be recorded. */
  const take = (refusal: Refusal, now: number): boolean => {
    const { organizationId, userId, key, operation, status, address } = refusal
    const own = organizations.get(organizationId) ?? newCounts(now)
    organizations.set(organizationId, own)
    const name = key ? `key ${key.id}` : `user ${userId}`
    const refused = { organizationId, userId, key }
    const counts = own.refused.get(name) ?? { refused, known: new Map(), others: 0 }
    own.refused.set(name, counts)
    const like = `${operation} ${status} ${address}`
    const known = counts.known.get(like)
    if (known) {
      known.count += 1
      return false
    }
    if (counts.known.size >= most.ofRefused || own.recorded >= most.ofOrganization) {
      counts.others += 1
      return false
    }
    own.recorded += 1
    // The subject is only that of the first.
    counts.known.set(like, { refusal: { ...refusal, subject: undefined }, count: 0 })
    return true
  }
  /** What was counted in the hours that are over, or until now at the end of the process. */
  const empty = (now: number, isEnd = false): MoreRefusals[] => {
    const over = [...organizations].filter(
      ([, { start }]) => isEnd || now - start >= windowMilliseconds,
    )
    for (const [organizationId] of over) organizations.delete(organizationId)
    return over.flatMap(([, { refused }]) => [...refused.values()].flatMap(toCounted))
  }
  return { take, empty }
}

function newCounts(start: number): OrganizationCounts {
  return { start, recorded: 0, refused: new Map() }
}

function toCounted({ refused, known, others }: RefusedCounts): MoreRefusals[] {
  const repeated = [...known.values()].filter(({ count }) => count > 0)
  return others > 0 ? [...repeated, { refusal: refused, count: others }] : repeated
}
